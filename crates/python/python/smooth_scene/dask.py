"""Batches of states and many paths over a Dask cluster.

The scene goes to the workers once, pickled. A worker that dies takes nothing with it: its blocks, and the scene if need be, are
computed again elsewhere, and every block is counted once.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

if TYPE_CHECKING:
    from smooth_scene._core import Scene
    from smooth_scene._types import Floats, Numbers


def is_free(client: Any, scene: Scene, q: Numbers, *, block: int = 10_000) -> Any:
    """As ``scene.is_free(q)`` for states (n, position_count), in blocks of so many states."""
    return _over_blocks(client, scene, "is_free", q, block, bool)


def clearance(client: Any, scene: Scene, q: Numbers, *, block: int = 10_000) -> Any:
    """As ``scene.clearance(q)`` for states (n, position_count), in blocks of so many states."""
    return _over_blocks(client, scene, "clearance", q, block, float)


def check_paths(client: Any, scene: Scene, paths: Sequence[Numbers], *, block: int = 100) -> dict[str, Any]:
    """As ``scene.check_path`` for every path: ``is_free``, ``first_contact`` (nan without one) and ``free_until``, (n,) each."""
    blocks = [[np.asarray(path) for path in paths[start : start + block]] for start in range(0, len(paths), block)]
    answers = _gather(client, scene, _check_paths, blocks)
    rows: Floats = np.concatenate([np.zeros((0, 3)), *answers])
    return {"is_free": rows[:, 0] == 1.0, "first_contact": rows[:, 1], "free_until": rows[:, 2]}


def _over_blocks(client: Any, scene: Scene, question: str, q: Numbers, block: int, kind: type) -> Any:
    if block < 1:
        raise ValueError(f"block is {block}, must be at least 1")
    states = np.asarray(q)
    # Refuses what is no batch of states before anything is sent.
    scene.robot.fk(states[:1] if states.ndim == 2 else states, links=[])
    if states.ndim != 2:
        raise ValueError(f"q has shape {states.shape}, must be (n, {scene.robot.position_count})")
    blocks = [(question, states[start : start + block]) for start in range(0, len(states), block)]
    return np.concatenate([np.zeros(0, dtype=kind), *_gather(client, scene, _ask, blocks)])


def _gather(client: Any, scene: Scene, function: Any, blocks: Sequence[Any]) -> list[Any]:
    # A task, not scattered data: when its worker dies the scheduler runs it again.
    shared = client.submit(pickle.loads, pickle.dumps(scene), pure=False)
    answers: list[Any] = client.gather(client.map(function, blocks, scene=shared, pure=False))
    return answers


def _ask(block: tuple[str, Any], scene: Scene) -> Any:
    question, states = block
    return getattr(scene, question)(states, threads=1)


def _check_paths(paths: list[Any], scene: Scene) -> Floats:
    answers = [scene.check_path(path) for path in paths]
    contact = [np.nan if a.first_contact is None else a.first_contact for a in answers]
    return np.array([(a.is_free, c, a.free_until) for a, c in zip(answers, contact)], dtype=float).reshape(-1, 3)
