"""Pair queries against Coal, against formulas, and their own bounds."""

import coal
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smooth_scene as ss

ORIGIN = [0, 0, 0]


def random_poses(rng, count, spread):
    quaternions = rng.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return rng.uniform(-spread, spread, size=(count, 3)), quaternions


def matrices(positions, quaternions):
    """4×4 matrices from positions and quaternions x y z w, as textbooks write them."""
    x, y, z, w = quaternions.T
    poses = np.tile(np.eye(4), (len(positions), 1, 1))
    poses[:, 0, :3] = np.c_[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)]
    poses[:, 1, :3] = np.c_[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)]
    poses[:, 2, :3] = np.c_[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]
    poses[:, :3, 3] = positions
    return poses


@pytest.mark.parametrize(
    "ours, theirs",
    [
        (ss.box([0.4, 0.6, 0.2]), coal.Box(0.4, 0.6, 0.2)),
        (ss.capsule(0.1, 0.5), coal.Capsule(0.1, 0.5)),
        (ss.cylinder(0.2, 0.3), coal.Cylinder(0.2, 0.3)),
        (ss.cone(0.2, 0.3), coal.Cone(0.2, 0.3)),
        (ss.ellipsoid([0.1, 0.2, 0.3]), coal.Ellipsoid(0.1, 0.2, 0.3)),
    ],
)
def test_distances_of_bodies_apart_are_those_of_coal(ours, theirs, rng):
    ball, their_ball = ss.ellipsoid([0.2, 0.1, 0.15]), coal.Ellipsoid(0.2, 0.1, 0.15)
    poses = matrices(*random_poses(rng, 200, 1.0))
    found = ss.distance(ours, poses, ball, ORIGIN)
    request = coal.DistanceRequest()
    compared = 0
    for pose, distance in zip(poses, found.distance):
        if distance < 1e-3:
            continue
        at = coal.Transform3s(pose[:3, :3], pose[:3, 3])
        theirs_found = coal.distance(theirs, at, their_ball, coal.Transform3s(), request, coal.DistanceResult())
        # Coal stops at an absolute gap of 1e-6.
        assert distance == pytest.approx(theirs_found, abs=2e-6)
        compared += 1
    assert compared > 100


def test_answers_keep_their_promises(rng):
    a = ss.superovoid([0.3, 0.2, 0.4], 0.6, 1.3, [0.2, -0.1])
    b = ss.superellipsoid([0.2, 0.3, 0.1], 0.4, 0.9)
    positions, quaternions = random_poses(rng, 500, 0.8)
    found = ss.distance(a, (positions, quaternions), b, ORIGIN)
    assert (found.lower <= found.distance).all() and (found.distance <= found.upper).all()
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=1e-12)
    apart = found.distance > 0
    assert apart.sum() > 100 and (found.status[apart] == "certified").all()
    between = (found.point_b - found.point_a)[apart]
    # The nearest points are as far apart as the upper bound, and the normal separates the bodies by the lower one.
    np.testing.assert_allclose(np.linalg.norm(between, axis=1), found.upper[apart], atol=1e-12)
    along = (between * found.normal[apart]).sum(axis=1)
    assert (along >= found.lower[apart] - 1e-12).all()


def test_all_forms_of_poses_mean_the_same(rng):
    positions, quaternions = random_poses(rng, 20, 1.0)
    a, b = ss.box([0.4, 0.6, 0.2]), ss.sphere(0.1)
    forms = [
        matrices(positions, quaternions),
        np.hstack([positions, quaternions]),
        (positions, quaternions),
        (positions, 3.0 * quaternions),
    ]
    distances = [ss.distance(a, form, b, ORIGIN).distance for form in forms]
    for other in distances[1:]:
        np.testing.assert_allclose(other, distances[0], atol=1e-12)
    each = [ss.distance(a, form, b, ORIGIN).distance for form in matrices(positions, quaternions)]
    np.testing.assert_array_equal(each, distances[0])


def test_positions_alone_are_not_turned():
    found = ss.distance(ss.sphere(0.5), [[2, 0, 0], [0, 3, 0]], ss.sphere(0.25), ORIGIN)
    np.testing.assert_allclose(found.distance, [1.25, 2.25], rtol=1e-12)
    np.testing.assert_allclose(found.normal, [[-1, 0, 0], [0, -1, 0]], atol=1e-9)


def test_curvature_of_a_ball_is_one_over_its_radius():
    found = ss.distance(ss.sphere(0.5), ORIGIN, ss.ellipsoid([1, 2, 3]), [5, 0, 0], curvature=True)
    np.testing.assert_allclose(found.curvature_a, [2, 2], rtol=1e-9)
    # At the end of the x axis of an ellipsoid the curvatures are a/b² and a/c².
    np.testing.assert_allclose(found.curvature_b, [1 / 9, 1 / 4], rtol=1e-9)
    assert ss.distance(ss.sphere(0.5), ORIGIN, ss.sphere(1), [5, 0, 0]).curvature_a is None


def test_gradient_is_the_derivative_of_the_distance(rng):
    a, b = ss.superellipsoid([0.3, 0.2, 0.4], 0.8, 0.9), ss.ellipsoid([0.2, 0.3, 0.1])
    position, quaternion = random_poses(rng, 1, 0.1)
    at = np.array([1.0, 0.5, -0.7])
    found = ss.distance(a, (position[0], quaternion[0]), b, at)
    step = 1e-6
    for axis in range(3):
        ends = [ss.distance(a, (position[0], quaternion[0]), b, at + s * step * np.eye(3)[axis]) for s in (-1, 1)]
        numeric = (ends[1].distance - ends[0].distance) / (2 * step)
        # The error of a central difference: step² and the gap of the two distances over the step.
        assert numeric == pytest.approx(found.gradient_b[axis], abs=1e-5)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(0.01, 10), min_size=3, max_size=3),
    st.floats(0.01, 10),
    st.lists(st.floats(-30, 30), min_size=3, max_size=3),
)
def test_box_and_ball_agree_with_the_formula(size, radius, center):
    found = ss.distance(ss.box(size), ORIGIN, ss.sphere(radius), center)
    outside = np.abs(center) - 0.5 * np.array(size)
    expected = np.linalg.norm(np.maximum(outside, 0)) + min(outside.max(), 0) - radius
    assert found.distance == pytest.approx(expected, abs=1e-9 * (max(size) + radius + 60))


def test_a_batch_without_poses_is_empty():
    found = ss.distance(ss.sphere(1), np.zeros((0, 3)), ss.sphere(1), ORIGIN, curvature=True)
    assert found.distance.shape == (0,) and found.point_a.shape == (0, 3)
    assert repr(found) == "Distances(none)"


def test_one_answer_is_a_float_and_prints_its_bounds():
    found = ss.distance(ss.sphere(1), ORIGIN, ss.sphere(1), [3, 0, 0])
    assert type(found.distance) is float and found.point_a.shape == (3,)
    assert repr(found).startswith("Distances(1")


def test_tables(rng):
    found = ss.distance(ss.sphere(1), random_poses(rng, 10, 5), ss.box([1, 2, 3]), ORIGIN, curvature=True)
    table = found.to_pandas()
    assert len(table) == 10
    np.testing.assert_array_equal(table["point_a_y"], found.point_a[:, 1])
    assert len(ss.distance(ss.sphere(1), ORIGIN, ss.sphere(1), [3, 0, 0]).to_pandas()) == 1
