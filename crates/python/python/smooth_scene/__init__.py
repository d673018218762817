"""A planning scene of smooth convex surfaces: distances, contacts and motions that prove their own error.

>>> import smooth_scene as ss
>>> robot = ss.Robot.load("robot.urdf", srdf="robot.srdf")
>>> scene = ss.Scene(robot)
>>> scene.add("table", ss.box([1.2, 0.8, 0.04]), [0.6, 0.0, 0.4])
>>> scene.is_free(robot.random(1000))

Lengths are metres, angles radians, quaternions x y z w. Poses are in the frame of the robot's root link. Distances are
positive apart and negative overlapping; normals are unit vectors from A to B. Arrays are float64 in C order, batch first.
"""

from smooth_scene._core import (
    Distances,
    Error,
    Fit,
    Gradients,
    Motion,
    NoPathError,
    Pairs,
    Plan,
    Recording,
    Robot,
    Scene,
    Shape,
    View,
    __version__,
    distance,
    fit,
    read_bag,
    write_bag,
)
from smooth_scene.replays import Replay, replay
from smooth_scene.shapes import (
    box,
    capsule,
    compound,
    cone,
    convex_mesh,
    cylinder,
    ellipsoid,
    half_space,
    poly_ellipsoid,
    sphere,
    superellipsoid,
    superovoid,
)

__all__ = [
    "Distances",
    "Error",
    "Fit",
    "Gradients",
    "Motion",
    "NoPathError",
    "Pairs",
    "Plan",
    "Recording",
    "Replay",
    "Robot",
    "Scene",
    "Shape",
    "View",
    "__version__",
    "box",
    "capsule",
    "compound",
    "cone",
    "convex_mesh",
    "cylinder",
    "distance",
    "ellipsoid",
    "fit",
    "half_space",
    "poly_ellipsoid",
    "read_bag",
    "replay",
    "sphere",
    "superellipsoid",
    "superovoid",
    "write_bag",
]
