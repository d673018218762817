"""Shapes by name. Every function takes the fields that URDF extensions, world files and ``smooth_scene query`` use, and
``padding`` (metres), ``scale`` (three factors) or ``map`` (a 3×3 matrix) for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence, Union

from smooth_scene._core import Shape

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from smooth_scene._types import Modifiers, Numbers, PoseLike


def sphere(radius: float, **modifiers: Unpack[Modifiers]) -> Shape:
    """A ball."""
    return Shape("sphere", radius=radius, **modifiers)


def ellipsoid(radii: Numbers, **modifiers: Unpack[Modifiers]) -> Shape:
    """An ellipsoid with semi-axes x y z."""
    return Shape("ellipsoid", radii=radii, **modifiers)


def superellipsoid(radii: Numbers, exponent_xy: float, exponent_z: float, **modifiers: Unpack[Modifiers]) -> Shape:
    """A superellipsoid. Exponents are in (0, 2): 1 is round, 0 is a box, 2 a double cone."""
    return Shape("superellipsoid", radii=radii, exponent_xy=exponent_xy, exponent_z=exponent_z, **modifiers)


def superovoid(
    radii: Numbers, exponent_xy: float, exponent_z: float, taper: Numbers, **modifiers: Unpack[Modifiers]
) -> Shape:
    """A superellipsoid whose x and y radii change along z by ``taper``, two numbers in (-1, 1)."""
    return Shape(
        "superovoid", radii=radii, exponent_xy=exponent_xy, exponent_z=exponent_z, taper=taper, **modifiers
    )


def poly_ellipsoid(radii: Numbers, **modifiers: Unpack[Modifiers]) -> Shape:
    """Eight octants of ellipsoids: semi-axes +x -x +y -y +z -z."""
    return Shape("poly_ellipsoid", radii=radii, **modifiers)


def box(size: Numbers, **modifiers: Unpack[Modifiers]) -> Shape:
    """A box with full edge lengths x y z."""
    return Shape("box", size=size, **modifiers)


def cylinder(radius: float, length: float, **modifiers: Unpack[Modifiers]) -> Shape:
    """A cylinder of full length along z."""
    return Shape("cylinder", radius=radius, length=length, **modifiers)


def capsule(radius: float, length: float, **modifiers: Unpack[Modifiers]) -> Shape:
    """A capsule along z; ``length`` is that of its cylindrical part."""
    return Shape("capsule", radius=radius, length=length, **modifiers)


def cone(radius: float, length: float, **modifiers: Unpack[Modifiers]) -> Shape:
    """A cone of full length along z, its tip at +z."""
    return Shape("cone", radius=radius, length=length, **modifiers)


def half_space(normal: Numbers, offset: float = 0.0) -> Shape:
    """The points p with normal·p <= offset."""
    return Shape("half_space", normal=normal, offset=offset)


def convex_mesh(vertices: Numbers, **modifiers: Unpack[Modifiers]) -> Shape:
    """The convex hull of vertices (n, 3)."""
    return Shape("convex_mesh", vertices=vertices, **modifiers)


def compound(parts: Sequence[Union[Shape, tuple[Shape, PoseLike]]], **modifiers: Unpack[Modifiers]) -> Shape:
    """The union of shapes, each alone or as (shape, pose)."""
    return Shape("compound", parts=parts, **modifiers)
