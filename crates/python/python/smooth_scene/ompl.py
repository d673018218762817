"""OMPL with the checks of a scene: states by ``is_free``, motions proven in continuous time by ``check_motion``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np
from ompl import base, geometric  # type: ignore[import-untyped]  # pyright: ignore[reportMissingTypeStubs]

if TYPE_CHECKING:
    from smooth_scene._core import Scene
    from smooth_scene._types import Floats, Numbers


def positions(state: Any, count: int) -> Floats:
    """The numbers of a state of a real vector space."""
    return np.array([state[k] for k in range(count)])


class MotionValidator(base.MotionValidator):  # type: ignore[misc]
    """A motion is valid when it is proven free from its beginning to its end."""

    def __init__(self, information: Any, scene: Scene) -> None:
        super().__init__(information)
        self.scene, self.count = scene, scene.robot.position_count

    def checkMotion(self, *arguments: Any) -> bool:
        return bool(self.scene.check_motion(*(positions(state, self.count) for state in arguments[:2])).is_free)


def simple_setup(scene: Scene, start: Numbers, goal: Numbers) -> Any:
    """A ``SimpleSetup`` in the joint space of the robot; every joint needs limits."""
    robot = scene.robot
    space: Any = base.RealVectorStateSpace(robot.position_count)
    bounds = base.RealVectorBounds(robot.position_count)
    for k, (lower, upper) in enumerate(zip(robot.lower, robot.upper)):
        if not np.isfinite([lower, upper]).all():
            raise ValueError(f"joint `{robot.joint_names[k]}` has no limits, OMPL needs some")
        bounds.setLow(k, float(lower))
        bounds.setHigh(k, float(upper))
    space.setBounds(bounds)
    setup: Any = geometric.SimpleSetup(space)
    is_free: Callable[[Any], bool] = lambda state: bool(scene.is_free(positions(state, robot.position_count)))
    setup.setStateValidityChecker(is_free)
    setup.getSpaceInformation().setMotionValidator(MotionValidator(setup.getSpaceInformation(), scene))
    ends = [space.allocState(), space.allocState()]
    for state, numbers in zip(ends, np.asarray([start, goal], dtype=float)):
        for k, number in enumerate(numbers.tolist()):
            state[k] = number
    setup.setStartAndGoalStates(*ends)
    return setup
