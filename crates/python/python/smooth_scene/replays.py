"""Recordings through a scene: was the robot free, in continuous time, and how close did it come?"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Union

import numpy as np

from smooth_scene._core import Recording, read_bag

if TYPE_CHECKING:
    from smooth_scene._core import Scene
    from smooth_scene._types import Bodies, Path


@dataclass(frozen=True)
class Replay:
    """What became of one recording. Times are seconds from its first state.

    Between two states the robot moves straight in joint space. A list of replays is a table: ``pandas.DataFrame(replays)``.
    """

    path: str
    """The file or folder."""
    states: int
    """How many states it has."""
    seconds: float
    """How long it is."""
    is_free: bool
    """Proven free from its beginning to its end."""
    first_contact: Optional[float]
    """Time of the first contact."""
    free_until: float
    """It is proven free before this time."""
    distance: float
    """Signed distance at the closest approach of a free recording, m, or at the first contact."""
    closest_time: float
    """The time of that distance."""
    bodies: Bodies
    """The two bodies; None when there is nothing to touch."""


def replay(scene: Scene, recording: Union[Recording, Path], *, topic: Optional[str] = None) -> Replay:
    """Checks a recording, or the file of one, in the scene as it is now."""
    if not isinstance(recording, Recording):
        recording = read_bag(recording, scene.robot, topic=topic)
    names = scene.robot.joint_names
    if recording.robot.joint_names != names:
        raise ValueError(f"{recording.path}: its robot has other joints than that of the scene: read it with `scene.robot`")
    times, states = recording.times, recording.states
    if len(times) == 1:
        times, states = np.repeat(times, 2), np.repeat(states, 2, axis=0)
    motion = scene.check_path(states, closest=True)

    def at(waypoint: float) -> float:
        return float(np.interp(waypoint, np.arange(len(times)), times))

    return Replay(
        path=os.fspath(recording.path),
        states=len(recording),
        seconds=recording.seconds,
        is_free=motion.is_free,
        first_contact=None if motion.first_contact is None else at(motion.first_contact),
        free_until=at(motion.free_until),
        distance=motion.distance,
        closest_time=at(motion.closest_time),
        bodies=motion.bodies,
    )
