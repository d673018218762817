"""Makes a colcon workspace around this package in the folder that is given: what Debian's rosidl lacks of a ROS 2
installation is written as packages of a few lines, the standard messages from the definitions of PyPI rosbags."""

import sys
from pathlib import Path

from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_typestore

ROOT = Path(__file__).resolve().parents[3]
STORE = get_typestore(Stores.ROS2_JAZZY)
# What the interfaces of smooth_scene are made of.
MESSAGES = {
    "builtin_interfaces": ["Duration", "Time"],
    "std_msgs": ["Header"],
    "geometry_msgs": ["Point", "Pose", "PoseStamped", "Quaternion", "Vector3", "Wrench"],
    "sensor_msgs": ["JointState", "PointCloud2", "PointField"],
    "trajectory_msgs": ["JointTrajectory", "JointTrajectoryPoint"],
}
# Packages that only name other packages.
NAMES = {
    "rosidl_default_generators": [
        "rosidl_cmake", "rosidl_generator_c", "rosidl_generator_cpp", "rosidl_typesupport_introspection_c",
        "rosidl_typesupport_introspection_cpp",
    ],
    "rosidl_default_runtime": ["rosidl_runtime_c", "rosidl_runtime_cpp", "rosidl_typesupport_interface"],
}

PACKAGE = """<package format="3"><name>{name}</name><version>0.0.0</version><description>{name}</description>
<maintainer email="nobody@example.org">nobody</maintainer><license>Apache-2.0</license>
<buildtool_depend>ament_cmake</buildtool_depend>
{depends}
{group}<export><build_type>ament_cmake</build_type></export></package>
"""
SHIM = """cmake_minimum_required(VERSION 3.16)
project({name})
find_package(ament_cmake REQUIRED)
{find}
ament_export_dependencies({exports})
ament_package()
"""


def type_text(node):
    """A type as a .msg file spells it."""
    kind, what = node
    if kind == Nodetype.BASE:
        return what[0]
    if kind == Nodetype.NAME:
        return what.replace("/msg/", "/")
    element, length = what
    return f"{type_text(element)}[{length or ''}]"


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def make_messages(source, package, names):
    texts, used = {}, set()
    for name in names:
        fields = STORE.fielddefs[f"{package}/msg/{name}"][1]
        texts[f"msg/{name}.msg"] = "".join(f"{type_text(node)} {field}\n" for field, node in fields)
        used |= {p for p in MESSAGES if any(f"{p}/" in type_text(node) for _, node in fields)}
    used = sorted(used - {package})
    depends = "".join(f"<depend>{p}</depend>" for p in ["rosidl_default_generators", "rosidl_default_runtime", *used])
    group = "<member_of_group>rosidl_interface_packages</member_of_group>"
    generate = " ".join(f'"{text}"' for text in texts)
    find = "".join(f"find_package({p} REQUIRED)\n" for p in ["rosidl_default_generators", *used])
    find += f"rosidl_generate_interfaces({package} {generate} DEPENDENCIES {' '.join(used)})"
    texts["package.xml"] = PACKAGE.format(name=package, depends=depends, group=group)
    texts["CMakeLists.txt"] = SHIM.format(name=package, find=find, exports="rosidl_default_runtime")
    write(source / package, texts)


def make_names(source, package, exported):
    find = "".join(f"find_package({p} REQUIRED)\n" for p in exported)
    files = {
        "package.xml": PACKAGE.format(name=package, depends="", group=""),
        "CMakeLists.txt": SHIM.format(name=package, find=find, exports=" ".join(exported)),
    }
    write(source / package, files)


source = Path(sys.argv[1]) / "src"
for package, names in MESSAGES.items():
    make_messages(source, package, names)
for package, exported in NAMES.items():
    make_names(source, package, exported)
link = source / "smooth_scene"
# The folder of the checkout may have moved since.
link.unlink(missing_ok=True)
link.symlink_to(ROOT)
