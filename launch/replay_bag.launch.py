"""The scene node on a recording: ros2 launch smooth_scene replay_bag.launch.py bag:=FOLDER urdf:=robot.urdf

The bag plays with its own clock, and all nodes live in its time; a loop jumps back in time, which they bear. The other
arguments are those of scene.launch.py."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, IncludeLaunchDescription
from launch.conditions import IfCondition, UnlessCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration

SHARE = Path(get_package_share_directory("smooth_scene"))


def generate_launch_description():
    play = ["ros2", "bag", "play", LaunchConfiguration("bag"), "--clock", "100", "--rate", LaunchConfiguration("rate")]
    scene = PythonLaunchDescriptionSource(str(SHARE / "launch" / "scene.launch.py"))
    loop = LaunchConfiguration("loop")
    return LaunchDescription([
        DeclareLaunchArgument("bag", description="folder of the recording, with joint_states in it"),
        DeclareLaunchArgument("rate", default_value="1.0", description="how many times faster than it was recorded"),
        DeclareLaunchArgument("loop", default_value="false", choices=["true", "false"], description="play it again and again"),
        IncludeLaunchDescription(scene, launch_arguments={"use_sim_time": "true", "joints": "none"}.items()),
        ExecuteProcess(cmd=play, output="screen", condition=UnlessCondition(loop)),
        ExecuteProcess(cmd=[*play, "--loop"], output="screen", condition=IfCondition(loop)),
    ])
