"""Definitions by rosbags of the types whose names are given after the root of the repository, with all they consist of.

Prints a JSON object: type -> [text, hash].
"""

import json
import sys
from pathlib import Path

from rosbags.typesys import Stores, get_types_from_msg, get_typestore


def main():
    root = Path(sys.argv[1])
    store = get_typestore(Stores.ROS2_JAZZY)
    for file in sorted((root / "msg").glob("*.msg")):
        store.register(get_types_from_msg(file.read_text(), f"smooth_scene/msg/{file.stem}"))
    found = {name: (store.generate_msgdef(name, ros_version=2)[0], store.hash_rihs01(name)) for name in sys.argv[2:]}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
