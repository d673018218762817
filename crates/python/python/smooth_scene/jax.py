"""The distance of the nearest pair as a JAX function with its exact gradient; works under ``jit``, ``grad`` and ``vmap``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import jax
import numpy as np

if TYPE_CHECKING:
    from smooth_scene._core import Scene


def distance(scene: Scene) -> Callable[[Any], Any]:
    """A function from states (..., position_count) to signed distances (...), m, for the scene as it is now.

    The gradient is that of the nearest pair: exact wherever one pair is nearest. Robots with floating joints are refused: their
    gradient has fewer numbers than their state.
    """
    frozen, width = scene.copy(), scene.robot.position_count
    if scene.robot.dof != width:
        raise ValueError("the robot has floating joints, whose gradient has fewer numbers than their state")

    def both(q: Any) -> tuple[Any, Any]:
        states = np.asarray(q, dtype=np.float64)
        found = frozen.gradient(states.reshape(-1, width))
        dtype = np.asarray(q).dtype
        return found.distance.reshape(states.shape[:-1]).astype(dtype), found.gradient.reshape(states.shape).astype(dtype)

    def call(q: Any) -> tuple[Any, Any]:
        struct: Any = jax.ShapeDtypeStruct
        shapes = struct(q.shape[:-1], q.dtype), struct(q.shape, q.dtype)
        result: tuple[Any, Any] = jax.pure_callback(both, shapes, q, vmap_method="expand_dims")
        return result

    @jax.custom_vjp
    def function(q: Any) -> Any:
        return call(q)[0]

    def backward(gradient: Any, cotangent: Any) -> tuple[Any]:
        return (cotangent[..., None] * gradient,)

    function.defvjp(call, backward)
    return function
