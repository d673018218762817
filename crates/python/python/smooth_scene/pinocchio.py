"""Configurations of a Pinocchio model as states of a robot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from smooth_scene._core import Robot
    from smooth_scene._types import Floats, Numbers


def states(robot: Robot, model: Any, q: Numbers) -> Floats:
    """States (n, position_count) from configurations (n, nq), or one from one; joints are matched by name.

    Pinocchio keeps angles without limits as cosine and sine; here they are angles. Joints that follow others have no column here:
    their numbers are not used.
    """
    numbers: Floats = np.asarray(q, dtype=np.float64)
    if numbers.ndim not in (1, 2) or numbers.shape[-1] != model.nq:
        raise ValueError(f"q has shape {numbers.shape}, must be ({model.nq},) or (n, {model.nq})")
    columns = [_column(model, name, numbers) for name in robot.joint_names]
    return np.stack(columns, axis=-1) if columns else np.zeros((*numbers.shape[:-1], 0))


# Columns of a planar and of a floating joint in Pinocchio; the angle of a planar one is cosine and sine.
_PLANAR = {"x": 0, "y": 1}
_FLOATING = {"trans_x": 0, "trans_y": 1, "trans_z": 2, "rot_x": 3, "rot_y": 4, "rot_z": 5, "rot_w": 6}


def _column(model: Any, name: str, numbers: Floats) -> Floats:
    joint, part = name, ""
    if not model.existJointName(name) and "/" in name:
        joint, part = name.rsplit("/", 1)
    if not model.existJointName(joint):
        raise ValueError(f"the model has no joint `{joint}`")
    place = model.joints[model.getJointId(joint)]
    own = numbers[..., place.idx_q : place.idx_q + place.nq]
    shape = (place.nq, place.nv)
    if shape == (1, 1) and not part:
        return own[..., 0]
    if (shape, part) in [((2, 1), ""), ((4, 3), "theta")]:
        angle: Floats = np.arctan2(own[..., -1], own[..., -2])
        return angle
    if shape == (4, 3) and part in _PLANAR:
        return own[..., _PLANAR[part]]
    if shape == (7, 6) and part in _FLOATING:
        return own[..., _FLOATING[part]]
    raise ValueError(f"joint `{joint}` has {place.nq} numbers in the model, which do not fit `{name}`")
