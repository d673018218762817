"""The distance of the nearest pair and its gradient on arrays of any batch shape: what the modules for JAX and PyTorch have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

if TYPE_CHECKING:
    from smooth_scene._core import Scene
    from smooth_scene._types import Floats


def nearest(scene: Scene) -> Callable[[Any], tuple[Floats, Floats]]:
    """A function from states (..., position_count) to distances (...) and gradients (..., position_count), for the scene as it is now."""
    frozen, width = scene.copy(), scene.robot.position_count
    if scene.robot.dof != width:
        raise ValueError("the robot has floating joints, whose gradient has fewer numbers than their state")

    def both(q: Any) -> tuple[Floats, Floats]:
        states: Any = np.asarray(q, dtype=np.float64)
        if states.shape[-1:] != (width,):
            raise ValueError(f"q has shape {states.shape}, must be (..., {width})")
        found: Any = frozen.gradient(states.reshape(-1, width))
        return found.distance.reshape(states.shape[:-1]), found.gradient.reshape(states.shape)

    return both
