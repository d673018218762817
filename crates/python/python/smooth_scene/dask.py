"""Batches of states, many paths and many recordings over a Dask cluster.

The scene goes to the workers once, pickled. A worker that dies takes nothing with it: its blocks, and the scene if need be, are
computed again elsewhere, and every block is counted once.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, Sequence

from smooth_scene import _blocks

if TYPE_CHECKING:
    from smooth_scene._core import Scene
    from smooth_scene._types import Numbers, Path
    from smooth_scene.replays import Replay


def is_free(client: Any, scene: Scene, q: Numbers, *, block: int = 10_000) -> Any:
    """As ``scene.is_free(q)`` for states (n, position_count), in blocks of so many states."""
    return _blocks.over_states(_over(client, scene), scene, "is_free", q, block, bool)


def clearance(client: Any, scene: Scene, q: Numbers, *, block: int = 1000) -> Any:
    """As ``scene.clearance(q)`` for states (n, position_count), in blocks of so many states."""
    return _blocks.over_states(_over(client, scene), scene, "clearance", q, block, float)


def check_paths(client: Any, scene: Scene, paths: Sequence[Numbers], *, block: int = 100) -> dict[str, Any]:
    """As ``scene.check_path`` for every path: ``is_free``, ``first_contact`` (nan without one) and ``free_until``, (n,) each."""
    return _blocks.over_paths(_over(client, scene), paths, block)


def replay(client: Any, scene: Scene, paths: Sequence[Path], *, block: int = 1) -> list[Replay]:
    """As ``smooth_scene.replay`` for every recording. The workers read the files, so they need them under the same paths."""
    return _blocks.over_recordings(_over(client, scene), paths, block)


def _over(client: Any, scene: Scene) -> _blocks.Run:
    def run(function: Any, blocks: Sequence[Any]) -> list[Any]:
        # A task, not scattered data: when its worker dies the scheduler runs it again.
        shared = client.submit(bytes, pickle.dumps(scene), pure=False)
        answers: list[Any] = client.gather(client.map(function, blocks, scene=shared, pure=False))
        return answers

    return run
