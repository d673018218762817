"""Batches of states, many paths and many recordings over a Ray cluster; ``ray.init()`` comes first.

The scene goes into the object store once. A block whose worker dies is computed again elsewhere, and every block is counted once.
"""

from __future__ import annotations

import pickle
from importlib import import_module
from typing import TYPE_CHECKING, Any, Sequence

from smooth_scene import _blocks

if TYPE_CHECKING:
    from smooth_scene._core import Scene
    from smooth_scene._types import Numbers, Path
    from smooth_scene.replays import Replay

# Not checked: its types need the library.
ray: Any = import_module("ray")


def is_free(scene: Scene, q: Numbers, *, block: int = 10_000) -> Any:
    """As ``scene.is_free(q)`` for states (n, position_count), in blocks of so many states."""
    return _blocks.over_states(_over(scene), scene, "is_free", q, block, bool)


def clearance(scene: Scene, q: Numbers, *, block: int = 1000) -> Any:
    """As ``scene.clearance(q)`` for states (n, position_count), in blocks of so many states."""
    return _blocks.over_states(_over(scene), scene, "clearance", q, block, float)


def check_paths(scene: Scene, paths: Sequence[Numbers], *, block: int = 100) -> dict[str, Any]:
    """As ``scene.check_path`` for every path: ``is_free``, ``first_contact`` (nan without one) and ``free_until``, (n,) each."""
    return _blocks.over_paths(_over(scene), paths, block)


def replay(scene: Scene, paths: Sequence[Path], *, block: int = 1) -> list[Replay]:
    """As ``smooth_scene.replay`` for every recording. The workers read the files, so they need them under the same paths."""
    return _blocks.over_recordings(_over(scene), paths, block)


def _over(scene: Scene) -> _blocks.Run:
    def run(function: Any, blocks: Sequence[Any]) -> list[Any]:
        shared = ray.put(pickle.dumps(scene))
        # A worker that dies is no fault of its block: as often as it takes.
        remote = ray.remote(max_retries=-1)(function)
        answers: list[Any] = ray.get([remote.remote(block, shared) for block in blocks])
        return answers

    return run
