"""The two iCub hands in their grasp: ros2 launch smooth_scene two_hands.launch.py rviz:=true

joint_sweep publishes the movement as joint_states and asks the node about it. The other arguments are those of
scene.launch.py."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node

SHARE = Path(get_package_share_directory("smooth_scene"))


def generate_launch_description():
    scene = PythonLaunchDescriptionSource(str(SHARE / "launch" / "scene.launch.py"))
    return LaunchDescription([
        IncludeLaunchDescription(scene, launch_arguments={"joints": "none"}.items()),
        Node(package="smooth_scene", executable="joint_sweep", arguments=["--live", "--loop", "--node", "/scene_node"], output="screen"),
    ])
