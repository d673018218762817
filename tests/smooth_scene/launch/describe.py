"""Prints what a launch file declares and starts, as JSON, without ROS: describe.py FILE NAME=VALUE …

The modules launch and launch_ros are not in any package registry, so a few lines here stand in for what our files use of
them. They keep what they are given; an argument, module or class that does not exist fails as it would with the real
ones."""

import json
import os
import runpy
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
values, said = {}, {"arguments": {}, "started": [], "included": []}


class DeclareLaunchArgument:
    def __init__(self, name, *, default_value=None, description, choices=None):
        said["arguments"][name] = {"default": default_value, "description": description, "choices": choices}
        values.setdefault(name, default_value)
        if values[name] is None:
            raise SystemExit(f"argument {name} has no value")
        if choices and values[name] not in choices:
            raise SystemExit(f"argument {name} is {values[name]}, not one of {choices}")


class LaunchConfiguration:
    def __init__(self, name):
        self.name = name

    def perform(self, context):
        assert context == "context"
        return values[self.name]


class IfCondition:
    wanted = "true"

    def __init__(self, configuration):
        self.holds = plain(configuration) == self.wanted


class UnlessCondition(IfCondition):
    wanted = "false"


class ParameterValue:
    def __init__(self, value, *, value_type):
        assert isinstance(value, value_type)
        self.value = value


def plain(value):
    """What is given, with the values of arguments put in."""
    if isinstance(value, LaunchConfiguration):
        return values[value.name]
    if isinstance(value, ParameterValue):
        return value.value
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def started(kind):
    def start(condition=None, **arguments):
        if condition is None or condition.holds:
            said["started"].append({"kind": kind, **{key: plain(v) for key, v in arguments.items()}})
    return start


def python_source(path):
    assert Path(path).is_file(), path
    return path


def include(source, *, launch_arguments):
    given = dict(launch_arguments)
    said["included"].append({"file": str(Path(source).relative_to(ROOT)), "arguments": plain(given)})
    values.update(plain(given))
    runpy.run_path(source)["generate_launch_description"]()


class PackageNotFoundError(KeyError):
    pass


def share(package):
    """All packages are installed but those that the environment variable names."""
    if package in os.environ.get("MISSING_PACKAGES", "").split():
        raise PackageNotFoundError(package)
    return str(ROOT) if package == "smooth_scene" else f"/opt/ros/share/{package}"


def module(name, **content):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(content)


module("launch", LaunchDescription=lambda actions: actions)
module("launch.actions", DeclareLaunchArgument=DeclareLaunchArgument, ExecuteProcess=started("process"),
       IncludeLaunchDescription=include, OpaqueFunction=lambda function: function("context"))
module("launch.conditions", IfCondition=IfCondition, UnlessCondition=UnlessCondition)
module("launch.launch_description_sources", PythonLaunchDescriptionSource=python_source)
module("launch.substitutions", LaunchConfiguration=LaunchConfiguration)
module("launch_ros")
module("launch_ros.actions", Node=started("node"))
module("launch_ros.parameter_descriptions", ParameterValue=ParameterValue)
module("ament_index_python")
module("ament_index_python.packages", get_package_share_directory=share, PackageNotFoundError=PackageNotFoundError)

values.update(argument.split("=", 1) for argument in sys.argv[2:])
runpy.run_path(sys.argv[1])["generate_launch_description"]()
print(json.dumps(said))
