"""The two iCub hands in their grasp: ros2 launch smooth_scene two_hands.launch.py rviz:=true

joint_sweep publishes the movement as joint_states, of the robot that the node has, and says on /diagnostics how fast the
node answers. The other arguments are those of scene.launch.py."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.conditions import IfCondition, UnlessCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = Path(get_package_share_directory("smooth_scene"))


def sweep(condition, *more):
    """joint_sweep beside the node: both names are relative, so that they meet in any namespace."""
    return Node(package="smooth_scene", executable="joint_sweep", namespace=LaunchConfiguration("namespace"),
                arguments=["--live", "--loop", "--node", "scene_node", *more], output="screen", condition=condition)


def generate_launch_description():
    scene = PythonLaunchDescriptionSource(str(SHARE / "launch" / "scene.launch.py"))
    sim_time = LaunchConfiguration("use_sim_time")
    return LaunchDescription([
        # It declares the arguments; what follows may use them.
        IncludeLaunchDescription(scene, launch_arguments={"joints": "none"}.items()),
        sweep(UnlessCondition(sim_time)),
        # Somebody has to publish the time then.
        sweep(IfCondition(sim_time), "--sim-time"),
    ])
