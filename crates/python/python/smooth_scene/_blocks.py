"""Work in blocks for other processes: what the modules for Dask and Ray have in common.

The scene goes as the bytes of its pickle, and a worker makes a scene of them once, not for every block or every call.
"""

from __future__ import annotations

import pickle
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

from smooth_scene.replays import replay

if TYPE_CHECKING:
    from smooth_scene._core import Scene
    from smooth_scene._types import Floats, Numbers, Path
    from smooth_scene.replays import Replay

# Runs a function of a block and the pickled scene for every block, somewhere, and returns the answers in order.
Run = Callable[[Any, Sequence[Any]], "list[Any]"]


def over_states(run: Run, scene: Scene, question: str, q: Numbers, block: int, kind: type[Any]) -> Any:
    states = np.asarray(q)
    # Refuses what is no batch of states before anything is sent.
    scene.robot.fk(states[:1] if states.ndim == 2 else states, links=[])
    if states.ndim != 2:
        raise ValueError(f"q has shape {states.shape}, must be (n, {scene.robot.position_count})")
    blocks = [(question, part) for part in cut(states, block)]
    none: Any = np.zeros(0, dtype=kind)
    answers: Any = np.concatenate([none, *run(ask, blocks)])
    return answers


def over_paths(run: Run, paths: Sequence[Numbers], block: int) -> dict[str, Any]:
    answers = run(check_paths, cut([np.asarray(path) for path in paths], block))
    rows: Floats = np.concatenate([np.zeros((0, 3)), *answers])
    return {"is_free": rows[:, 0] == 1.0, "first_contact": rows[:, 1], "free_until": rows[:, 2]}


def over_recordings(run: Run, paths: Sequence[Path], block: int) -> list[Replay]:
    return [one for part in run(replay_all, cut(paths, block)) for one in part]


def cut(items: Any, block: int) -> list[Any]:
    if block < 1:
        raise ValueError(f"block is {block}, must be at least 1")
    return [items[start : start + block] for start in range(0, len(items), block)]


@lru_cache(maxsize=4)
def unpickled(scene: bytes) -> Scene:
    made: Scene = pickle.loads(scene)
    return made


def ask(block: tuple[str, Any], scene: bytes) -> Any:
    question, states = block
    return getattr(unpickled(scene), question)(states, threads=1)


def check_paths(paths: list[Any], scene: bytes) -> Floats:
    answers = [unpickled(scene).check_path(path) for path in paths]
    contact = [np.nan if a.first_contact is None else a.first_contact for a in answers]
    rows = [(a.is_free, c, a.free_until) for a, c in zip(answers, contact)]
    return np.reshape(np.array(rows, dtype=np.float64), (-1, 3))


def replay_all(paths: Sequence[Path], scene: bytes) -> list[Replay]:
    return [replay(unpickled(scene), path) for path in paths]
