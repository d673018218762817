"""Configurations of Pinocchio, compared by the poses of the links."""

import numpy as np
import pinocchio
import pytest

import smooth_scene as ss
from smooth_scene.pinocchio import states

JOINTS = """<robot name="joints"><link name="root"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
  <joint name="turn" type="continuous"><parent link="root"/><child link="a"/><origin xyz="0.1 0 0.2" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
  <joint name="skew" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0 0.1 0"/><axis xyz="0.6 0 0.8"/></joint>
  <joint name="plane" type="planar"><parent link="c"/><child link="d"/><axis xyz="0 0 1"/></joint>
  <joint name="float" type="floating"><parent link="d"/><child link="e"/></joint></robot>"""


def test_links_are_where_pinocchio_has_them():
    model = pinocchio.buildModelFromXML(JOINTS)
    data, robot = model.createData(), ss.Robot.parse(JOINTS)
    rng = np.random.default_rng(3)
    # From small velocities: planar and floating joints have no limits to draw from.
    q = np.array([pinocchio.integrate(model, pinocchio.neutral(model), rng.normal(size=model.nv)) for _ in range(30)])
    assert model.nq != robot.position_count
    poses = robot.fk(states(robot, model, q))
    for configuration, pose_of_links in zip(q, poses):
        pinocchio.framesForwardKinematics(model, data, configuration)
        for name, pose in zip(robot.link_names, pose_of_links):
            frame = model.getFrameId(name, pinocchio.FrameType.BODY)
            np.testing.assert_allclose(pose, data.oMf[frame].homogeneous, atol=1e-12)
    np.testing.assert_array_equal(states(robot, model, q[0]), states(robot, model, q)[0])


def test_what_does_not_fit_is_named(arm):
    model = pinocchio.buildModelFromXML(JOINTS)
    with pytest.raises(ValueError, match="the model has no joint `shoulder`"):
        states(arm, model, pinocchio.neutral(model))
    with pytest.raises(ValueError, match=r"q has shape \(3,\)"):
        states(arm, model, np.zeros(3))
