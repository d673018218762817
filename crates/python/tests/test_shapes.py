"""Shapes by name."""

import pickle

import numpy as np
import pytest

import smooth_scene as ss

EXAMPLES = {
    "sphere": lambda **m: ss.sphere(0.1, **m),
    "ellipsoid": lambda **m: ss.ellipsoid([0.1, 0.2, 0.3], **m),
    "superellipsoid": lambda **m: ss.superellipsoid([0.1, 0.2, 0.3], 0.5, 0.7, **m),
    "superovoid": lambda **m: ss.superovoid([0.1, 0.2, 0.3], 0.5, 0.7, [0.1, -0.1], **m),
    "poly_ellipsoid": lambda **m: ss.poly_ellipsoid([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], **m),
    "box": lambda **m: ss.box([0.1, 0.2, 0.3], **m),
    "cylinder": lambda **m: ss.cylinder(0.1, 0.3, **m),
    "capsule": lambda **m: ss.capsule(0.1, 0.3, **m),
    "cone": lambda **m: ss.cone(0.1, 0.3, **m),
    "half_space": lambda: ss.half_space([0, 0, 1], 0.2),
    "convex_mesh": lambda **m: ss.convex_mesh(np.random.default_rng(1).normal(size=(30, 3)), **m),
}


def test_every_kind_has_a_function():
    assert set(EXAMPLES) == set(ss.Shape.kinds())
    for kind, make in EXAMPLES.items():
        assert make().kind == kind and kind in ss.__all__


@pytest.mark.parametrize("kind", EXAMPLES)
def test_shapes_survive_pickling(kind):
    shape = EXAMPLES[kind]()
    again = pickle.loads(pickle.dumps(shape))
    assert repr(again).startswith(f"Shape(type: {kind}")
    if kind != "convex_mesh":  # Vertices may come in another order.
        assert again == shape
    assert again.bounding_radius == shape.bounding_radius


def test_modified_shapes():
    padded = ss.box([1, 1, 1], padding=0.1)
    assert ss.distance(padded, [0, 0, 0], ss.sphere(0.5), [2, 0, 0]).distance == pytest.approx(0.9)
    assert ss.sphere(1.0, scale=[2, 1, 1]).bounding_radius == pytest.approx(2.0)
    both = ss.compound([ss.sphere(0.1), (ss.sphere(0.1), [1, 0, 0])])
    assert ss.distance(both, [0, 0, 0], ss.sphere(0.1), [2, 0, 0]).distance == pytest.approx(0.8)
    assert pickle.loads(pickle.dumps(both)) == both


def test_meshes_for_pictures_lie_on_the_surface():
    vertices, triangles = ss.ellipsoid([1, 2, 3]).mesh(0.01)
    np.testing.assert_allclose(((vertices / [1, 2, 3]) ** 2).sum(axis=1), 1.0, atol=1e-9)
    assert triangles.shape[1] == 3 and triangles.max() == len(vertices) - 1


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: ss.sphere(-1), r"sphere: radius is -1, must be in \[1e-9, 1e6\] m"),
        (lambda: ss.sphere(float("nan")), "radius is NaN"),
        (lambda: ss.box([1, 2]), "shape.size: has 2 entries, must have 3"),
        (lambda: ss.box([1, 2, float("inf")]), r"shape.size\[2\]: is inf"),
        (lambda: ss.Shape("box"), "size"),
        (lambda: ss.Shape("box", size=[1, 1, 1], colour=3), "colour"),
        (lambda: ss.Shape("torus"), "is `torus`, must be one of: sphere,"),
        (lambda: ss.superellipsoid([1, 1, 1], 3, 1), "exponent_xy is 3, must be in"),
        (lambda: ss.convex_mesh(np.zeros((0, 3))), "convex_mesh"),
        (lambda: ss.convex_mesh(np.zeros((2, 2, 3))), "has 3 dimensions"),
        (lambda: ss.compound([]), "compound"),
    ],
)
def test_what_is_no_shape_is_refused_with_the_words_of_the_core(make, message):
    with pytest.raises(ss.Error, match=message):
        make()


@pytest.mark.parametrize("radius", ["1", [1], None, 1j, object()])
def test_a_radius_of_the_wrong_type(radius):
    with pytest.raises((ss.Error, TypeError)):
        ss.sphere(radius)
