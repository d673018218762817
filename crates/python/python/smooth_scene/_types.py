"""Names for the types of arguments and answers. For type checkers; nothing here is needed to use the package."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Optional, Sequence, Tuple, TypedDict, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from smooth_scene._core import Shape

Floats = NDArray[np.float64]
"""An array of numbers."""
FloatOrFloats = Any
"""A float for one question, an array (n,) for a batch of n."""
BoolOrBools = Any
"""A bool for one question, an array (n,) for a batch of n."""
StrOrStrs = Any
"""A string for one question, an array (n,) for a batch of n."""
Path = Union[str, "PathLike[str]"]
Numbers = ArrayLike
PoseLike = Union[ArrayLike, Tuple[ArrayLike, ArrayLike]]
"""(4, 4), (7,) or (3,), any of them after (n, ...), or a tuple (positions, quaternions)."""
ShapeLike = Union["Shape", "Sequence[Union[Shape, Tuple[Shape, PoseLike]]]"]
"""A shape, or the shapes of one object, each alone or with its pose."""
Meshes = Literal["require", "leave_out_unusable", "skip"]
Bodies = Optional[Tuple[str, str]]


class Modifiers(TypedDict, total=False):
    """What every shape takes."""

    padding: float
    scale: Numbers
    map: Numbers
    strict: bool
