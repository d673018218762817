"""The planners of OMPL on a scene."""

import numpy as np
import pytest
from ompl import base

import smooth_scene as ss
from smooth_scene.ompl import positions, simple_setup


def test_rrt_connect_finds_a_path_that_is_proven_free(scene):
    start, goal = [1.0, 0.3], [-1.0, -0.3]
    assert not scene.check_motion(start, goal).is_free
    setup = simple_setup(scene, start, goal)
    assert setup.solve(30.0)
    path = np.array([positions(state, 2) for state in setup.getSolutionPath().getStates()])
    np.testing.assert_allclose(path[[0, -1]], [start, goal])
    assert len(path) > 2 and scene.check_path(path).is_free


def test_motions_are_checked_continuously(scene):
    """Two free states on both sides of the post: a check of states alone could pass it."""
    setup = simple_setup(scene, [1.0, 0.0], [-1.0, 0.0])
    information = setup.getSpaceInformation()
    setup.setup()
    a, b, c = (information.allocState() for _ in range(3))
    for state, numbers in [(a, [1.0, 0.0]), (b, [-1.0, 0.0]), (c, [1.5, 0.3])]:
        state[0], state[1] = numbers
    assert information.isValid(a) and information.isValid(b)
    assert not information.checkMotion(a, b) and information.checkMotion(a, c)


def test_joints_without_limits_are_named():
    urdf = """<robot name="w"><link name="a"/><link name="b"/><joint name="spin" type="continuous">
      <parent link="a"/><child link="b"/></joint></robot>"""
    with pytest.raises(ValueError, match="joint `spin` has no limits"):
        simple_setup(ss.Scene(ss.Robot.parse(urdf)), [0.0], [1.0])
