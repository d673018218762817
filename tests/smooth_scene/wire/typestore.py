"""Every message type on the wire of smooth_scene, as PyPI rosbags understands it: the standard ones it brings along, ours
from msg/ and srv/, and the others from the list in src/interfaces. Requests and responses are named NAME_Request, NAME_Response.
A service NAME and its events NAME_Event are described as ROS 2 does it since Iron, as messages of these."""

from pathlib import Path

from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

ROOT = Path(__file__).resolve().parents[3]


def _definitions():
    """Name and text of all types that rosbags does not bring along."""
    for path in sorted(ROOT.glob("msg/*.msg")):
        yield f"smooth_scene/msg/{path.stem}", path.read_text()
    for path in sorted(ROOT.glob("srv/*.srv")):
        yield f"smooth_scene/srv/{path.stem}", path.read_text()
    for section in ("\n" + (ROOT / "src/interfaces/standard.txt").read_text()).split("\n== ")[1:]:
        name, _, text = section.partition("\n")
        yield name.strip(), text


def _of_service(name):
    """What follows from a service: its events and itself."""

    def member(suffix):
        return (Nodetype.NAME, name + suffix)

    info = (Nodetype.NAME, "service_msgs/msg/ServiceEventInfo")
    event = [
        ("info", info),
        ("request", (Nodetype.SEQUENCE, (member("_Request"), 1))),
        ("response", (Nodetype.SEQUENCE, (member("_Response"), 1))),
    ]
    whole = [(f"{part}_message", member(f"_{part.capitalize()}")) for part in ("request", "response", "event")]
    return {f"{name}_Event": ([], event), name: ([], whole)}


def _without_char(node):
    kind, what = node
    if kind == Nodetype.BASE:
        return (kind, ("uint8", what[1])) if what[0] == "char" else node
    return node if kind == Nodetype.NAME else (kind, (_without_char(what[0]), what[1]))


def make_typestore():
    """The types, by ROS name such as sensor_msgs/msg/JointState or smooth_scene/srv/GetDistance_Request."""
    store = get_typestore(Stores.ROS2_JAZZY)
    types = {}
    for name, text in _definitions():
        if name in store.fielddefs:
            continue
        package, kind, _ = name.split("/")
        if kind == "msg":
            types.update(get_types_from_msg(text, name))
            continue
        types.update(_of_service(name))
        request, _, response = text.partition("---")
        for suffix, part in (("_Request", request), ("_Response", response)):
            # rosbags takes the names of neighbours from the folder of the type: read it as a message, then file it.
            as_message = f"{package}/msg/{name.rsplit('/')[-1]}{suffix}"
            types[name + suffix] = get_types_from_msg(part, as_message)[as_message]
    store.register(types)
    # rosidl turns `char` into uint8: so it is in the hashes that ROS 2 has.
    for name, (constants, fields) in store.fielddefs.items():
        store.fielddefs[name] = (constants, [(field, _without_char(node)) for field, node in fields])
    return store
