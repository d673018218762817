"""The definitions that recordings carry, by rosbags: for each type its text with all it consists of, and its hash.

Writes src/ros/bag/definitions/ and definitions.rs when given the root of the repository and `write`; otherwise prints a
JSON object: type -> [text, hash].
"""

import json
import sys
from pathlib import Path

from rosbags.typesys import Stores, get_types_from_msg, get_typestore

TYPES = [
    "diagnostic_msgs/msg/DiagnosticArray",
    "rosgraph_msgs/msg/Clock",
    "sensor_msgs/msg/JointState",
    "smooth_scene/msg/ProximityArray",
    "std_msgs/msg/String",
    "tf2_msgs/msg/TFMessage",
    "visualization_msgs/msg/MarkerArray",
]


def definitions(root):
    store = get_typestore(Stores.ROS2_JAZZY)
    for file in sorted((root / "msg").glob("*.msg")):
        store.register(get_types_from_msg(file.read_text(), f"smooth_scene/msg/{file.stem}"))
    return {name: (store.generate_msgdef(name, ros_version=2)[0], store.hash_rihs01(name)) for name in TYPES}


def main():
    root = Path(sys.argv[1])
    found = definitions(root)
    if sys.argv[2:] != ["write"]:
        print(json.dumps(found))
        return
    folder = root / "src/ros/bag/definitions"
    folder.mkdir(exist_ok=True)
    entries = []
    for name, (text, digest) in found.items():
        file = name.replace("/", "__") + ".txt"
        (folder / file).write_text(text)
        entries.append(
            f'    Definition {{\n        type_name: "{name}",\n'
            f'        text: include_str!("definitions/{file}"),\n'
            f'        hash: "{digest}",\n    }},\n'
        )
    head = (
        "//! The definitions of the messages that are recorded, with all they consist of, so that a recording explains\n"
        "//! itself. Written by `tests/robots/message_definitions.py . write`.\n\n"
        "/// A message type as recordings describe it.\n"
        "#[derive(Debug, Clone, Copy, PartialEq, Eq)]\n"
        "pub struct Definition {\n"
        "    /// Its name, such as `sensor_msgs/msg/JointState`.\n    pub type_name: &'static str,\n"
        "    /// Its fields and those of all types in it.\n    pub text: &'static str,\n"
        "    /// The hash of its description, by which ROS 2 tells versions apart.\n    pub hash: &'static str,\n}\n\n"
        "/// The definition of a type, if it is one of those that are recorded.\n"
        "pub fn definition(type_name: &str) -> Option<&'static Definition> {\n"
        "    ALL.iter().find(|definition| definition.type_name == type_name)\n}\n\n"
    )
    body = f"const ALL: [Definition; {len(entries)}] = [\n" + "".join(entries) + "];\n"
    (root / "src/ros/bag/definitions.rs").write_text(head + body)


if __name__ == "__main__":
    main()
