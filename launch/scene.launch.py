"""The scene node with a robot: ros2 launch smooth_scene scene.launch.py urdf:=robot.urdf srdf:=robot.srdf

With everything that belongs to it: robot_state_publisher, sliders for the joints, RViz, Foxglove. See the arguments with
ros2 launch smooth_scene scene.launch.py --show-args. scene.launch.xml is the same in XML."""

from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

SHARE = Path(get_package_share_directory("smooth_scene"))

ARGUMENTS = [
    DeclareLaunchArgument(
        "urdf", default_value=str(SHARE / "urdf" / "icub_hands_mixed.urdf"),
        description="URDF of the robot: a file, xacro if it ends in .xacro"),
    DeclareLaunchArgument(
        "srdf", default_value=str(SHARE / "urdf" / "icub_hands.srdf"),
        description="SRDF of the robot: groups, and which links may touch; empty for none"),
    DeclareLaunchArgument(
        "surfaces", default_value="",
        description="YAML with surfaces in the place of the URDF's collisions, by link; empty for none"),
    DeclareLaunchArgument(
        "params_file", default_value=str(SHARE / "config" / "scene_node.yaml"),
        description="parameters of scene_node"),
    DeclareLaunchArgument(
        "namespace", default_value="", description="namespace of all nodes"),
    DeclareLaunchArgument(
        "use_sim_time", default_value="false", choices=["true", "false"],
        description="take the time from /clock, as with a simulator or a bag"),
    DeclareLaunchArgument(
        "state_publisher", default_value="true", choices=["true", "false"],
        description="start robot_state_publisher; false if one is running"),
    DeclareLaunchArgument(
        "joints", default_value="none", choices=["none", "zero", "sliders"],
        description="who publishes joint_states: the robot (none), joint_state_publisher (zero) or its window (sliders)"),
    DeclareLaunchArgument(
        "rviz", default_value="false", choices=["true", "false"], description="start RViz"),
    DeclareLaunchArgument(
        "rviz_config", default_value=str(SHARE / "config" / "smooth_scene.rviz"),
        description="what RViz shows"),
    DeclareLaunchArgument(
        "foxglove", default_value="false", choices=["true", "false"],
        description="start foxglove_bridge; load config/smooth_scene.foxglove.json in Foxglove"),
]


def read(path):
    """The text of a file, with xacro if its name says so; nothing for no file."""
    if not path:
        return ""
    if path.endswith(".xacro"):
        import xacro
        return xacro.process_file(path).toxml()
    return Path(path).read_text()


def require(packages):
    """Fails before anything is started, with the names of all packages that are missing: launch finds out about a package
    when its node is started, and leaves the nodes before it running."""
    missing = []
    for package in packages:
        try:
            get_package_share_directory(package)
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        raise RuntimeError(f"not installed: {', '.join(missing)}. Install them, or switch off what needs them: "
                           "see ros2 launch smooth_scene scene.launch.py --show-args")


def nodes(context):
    """The nodes, once the arguments are known: the descriptions are files to be read."""
    def argument(name):
        return LaunchConfiguration(name).perform(context)

    def text(value):
        return ParameterValue(value, value_type=str)

    needed = []

    def node(package, executable, *parameters, **more):
        needed.append(package)
        return Node(package=package, executable=executable, namespace=argument("namespace"),
                    parameters=[*parameters, {"use_sim_time": argument("use_sim_time") == "true"}], **more)

    description = {"robot_description": text(read(argument("urdf")))}
    scene = {**description, "package_path": [str(Path(argument("urdf")).resolve().parent)]}
    if argument("srdf"):
        scene["robot_description_semantic"] = text(read(argument("srdf")))
    if argument("surfaces"):
        scene["robot_description_scs"] = text(read(argument("surfaces")))

    started = [node("smooth_scene", "scene_node", argument("params_file"), scene, name="scene_node", output="screen")]
    if argument("state_publisher") == "true":
        started.append(node("robot_state_publisher", "robot_state_publisher", description))
    if argument("joints") == "zero":
        started.append(node("joint_state_publisher", "joint_state_publisher", description))
    if argument("joints") == "sliders":
        started.append(node("joint_state_publisher_gui", "joint_state_publisher_gui", description))
    if argument("rviz") == "true":
        started.append(node("rviz2", "rviz2", arguments=["-d", argument("rviz_config")]))
    if argument("foxglove") == "true":
        started.append(node("foxglove_bridge", "foxglove_bridge"))
    require(needed)
    return started


def generate_launch_description():
    return LaunchDescription([*ARGUMENTS, OpaqueFunction(function=nodes)])
