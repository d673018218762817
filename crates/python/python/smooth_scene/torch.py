"""The distance of the nearest pair as a PyTorch operation with its exact gradient."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable

from smooth_scene._nearest import nearest

if TYPE_CHECKING:
    from smooth_scene._core import Scene

# Not checked: its types need the library.
torch: Any = import_module("torch")


def distance(scene: Scene) -> Callable[[Any], Any]:
    """A function from tensors of states (..., position_count) to signed distances (...), m, for the scene as it is now.

    The gradient is that of the nearest pair: exact wherever one pair is nearest. Answers have the type and device of the states and
    are computed on the CPU. Robots with floating joints are refused: their gradient has fewer numbers than their state.
    """
    both = nearest(scene)

    def forward(ctx: Any, q: Any) -> Any:
        found, gradient = both(q.detach().cpu().numpy())
        ctx.save_for_backward(torch.from_numpy(gradient).to(q))
        return torch.as_tensor(found).to(q)

    def backward(ctx: Any, cotangent: Any) -> Any:
        (gradient,) = ctx.saved_tensors
        return cotangent.unsqueeze(-1) * gradient

    once = torch.autograd.function.once_differentiable(backward)
    methods = {"forward": staticmethod(forward), "backward": staticmethod(once)}
    operation: Any = type("Distance", (torch.autograd.Function,), methods)
    function: Callable[[Any], Any] = operation.apply
    return function
