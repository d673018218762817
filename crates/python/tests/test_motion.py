"""Motions, paths and plans."""

import time

import numpy as np
import pytest

import smooth_scene as ss
from conftest import ctrl_c_after


def test_a_motion_into_the_post_stops_where_states_do(scene):
    start, end = np.array([1.5, 0.0]), np.array([-1.5, 0.0])
    found = scene.check_motion(start, end)
    assert not found.is_free and 0 < found.free_until <= found.first_contact < 0.5
    assert set(found.bodies) & {"post"} and "first contact" in repr(found)
    for time_of_state in np.linspace(0, found.free_until, 50, endpoint=False):
        assert scene.is_free(start + time_of_state * (end - start))
    assert not scene.is_free(start + (found.first_contact + 1e-4) * (end - start))


def test_a_free_motion_is_proven_with_its_closest_approach(scene):
    start, end = np.array([0.8, 0.5]), np.array([2.5, -0.5])
    found = scene.check_motion(start, end, closest=True)
    assert found.is_free and found.first_contact is None and found.free_until == 1.0
    sampled = scene.clearance(start + np.linspace(0, 1, 400)[:, None] * (end - start)).min()
    assert found.lower <= sampled + 1e-9 and found.distance == pytest.approx(sampled, abs=1e-3)
    assert repr(found) == "Motion(proven free until 1)"


def test_many_motions_at_once(scene, arm):
    starts, ends = arm.random(50, seed=1), arm.random(50, seed=2)
    found = scene.check_motion(starts, ends)
    assert found.is_free.shape == (50,) and 0 < found.is_free.sum() < 50
    np.testing.assert_array_equal(np.isnan(found.first_contact), found.is_free)
    for k in range(50):
        assert scene.check_motion(starts[k], ends[k]).is_free == found.is_free[k]
    assert len(found.to_pandas()) == 50 and "50 motions" in repr(found)
    assert len(scene.check_motion(starts[0], ends[0]).to_pandas()) == 1


def test_times_of_a_path_count_waypoints(scene):
    path = [[2.5, 0.0], [2.0, 0.0], [1.5, 0.0], [-1.5, 0.0]]
    found = scene.check_path(path)
    assert not found.is_free and 2 < found.first_contact < 3
    assert scene.check_path(path[:3]).is_free and scene.check_path(path[:3]).free_until == 2.0
    with pytest.raises(ss.Error, match="a motion needs at least two waypoints, 1 given"):
        scene.check_path(path[:1])


def test_a_plan_leads_around_and_is_proven(scene):
    start, goal = [1.0, 0.3], [-1.0, -0.3]
    assert not scene.check_motion(start, goal).is_free
    path = scene.plan(start, goal, margin=0.01)
    assert path.waypoints.shape == (len(path), 2)
    np.testing.assert_array_equal(path.waypoints[[0, -1]], [start, goal])
    assert scene.check_path(path.waypoints).is_free and scene.is_free(path.waypoints).all()
    assert path.clearance >= 0.01 and path.verify(scene) > 0
    between = path.waypoints[:-1, None] + np.linspace(0, 1, 50)[:, None] * np.diff(path.waypoints, axis=0)[:, None]
    assert scene.clearance(between.reshape(-1, 2)).min() >= path.clearance - 1e-9
    again = scene.plan(start, goal, margin=0.01)
    np.testing.assert_array_equal(again.waypoints, path.waypoints)
    assert path.length > 0 and path.seconds > 0 and path.states_checked > 0 and "proven" in repr(path)
    scene.add("new", ss.sphere(0.1), [0.0, 5.0, 0.0])
    with pytest.raises(ss.Error):
        path.verify(scene)


def test_why_there_is_no_plan(scene):
    with pytest.raises(ss.NoPathError, match="start: `.*` and `.*` are in contact"):
        scene.plan([0, 0], [1, 0])
    with pytest.raises(ss.Error, match="goal: joint `shoulder` is at 5, outside"):
        scene.plan([1, 0], [5, 0])
    with pytest.raises(ss.Error, match="there is no group `hand`"):
        scene.plan([1, 0], [2, 0], group="hand")
    with pytest.raises(ss.Error, match="timeout is 0"):
        scene.plan([1, 0], [2, 0], timeout=0)


def enclosed(arm):
    """A scene in which the shoulder cannot pass: walls on both sides of the base."""
    scene = ss.Scene(arm)
    for name, x in [("ahead", 0.3), ("behind", -0.3)]:
        scene.add(name, ss.box([0.02, 0.02, 1.0]), [x, 0.0, 0.15])
    return scene


def test_a_search_without_end_stops_at_its_time(arm):
    begin = time.monotonic()
    with pytest.raises(ss.NoPathError, match="no path was found within 0.3 s"):
        enclosed(arm).plan([1.5, 0], [-1.5, 0], timeout=0.3, max_states=10**12)
    assert time.monotonic() - begin < 60


def test_a_search_without_end_stops_at_ctrl_c(arm):
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.5):
        enclosed(arm).plan([1.5, 0], [-1.5, 0], max_states=10**12)
