"""The distance of the nearest pair as a JAX function with its exact gradient; works under ``jit``, ``grad`` and ``vmap``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable

from smooth_scene._nearest import nearest

if TYPE_CHECKING:
    from smooth_scene._core import Scene

# Not checked: its types need the library.
jax: Any = import_module("jax")


def distance(scene: Scene) -> Callable[[Any], Any]:
    """A function from states (..., position_count) to signed distances (...), m, for the scene as it is now.

    The gradient is that of the nearest pair: exact wherever one pair is nearest. Robots with floating joints are refused: their
    gradient has fewer numbers than their state.
    """
    both = nearest(scene)

    def answer(q: Any) -> tuple[Any, Any]:
        found, gradient = both(q)
        return found.astype(q.dtype), gradient.astype(q.dtype)

    def call(q: Any) -> tuple[Any, Any]:
        shapes = jax.ShapeDtypeStruct(q.shape[:-1], q.dtype), jax.ShapeDtypeStruct(q.shape, q.dtype)
        result: tuple[Any, Any] = jax.pure_callback(answer, shapes, q, vmap_method="expand_dims")
        return result

    def value(q: Any) -> Any:
        return call(q)[0]

    def backward(gradient: Any, cotangent: Any) -> tuple[Any]:
        return (cotangent[..., None] * gradient,)

    function: Any = jax.custom_vjp(value)
    function.defvjp(call, backward)
    checked: Callable[[Any], Any] = function
    return checked
