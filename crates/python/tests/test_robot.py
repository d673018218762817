"""Robots against Pinocchio and against what the URDF says."""

import numpy as np
import pinocchio
import pytest

import smooth_scene as ss
from conftest import ARM


def test_names_and_limits_are_those_of_the_urdf(arm):
    assert arm.name == "arm" and arm.dof == arm.position_count == 2
    assert arm.joint_names == ["shoulder", "elbow"]
    assert arm.link_names == ["base", "upper", "lower"]
    np.testing.assert_array_equal(arm.lower, [-3, -2.5])
    np.testing.assert_array_equal(arm.upper, [3, 2.5])
    assert repr(arm) == 'Robot("arm", 3 links, 2 joint positions)'


def test_forward_kinematics_agrees_with_pinocchio(panda, panda_urdf):
    model = pinocchio.buildModelFromUrdf(str(panda_urdf))
    data = model.createData()
    # The second finger follows the first one; Pinocchio gives it a position of its own.
    assert list(model.names)[1:] == [*panda.joint_names, "panda_finger_joint2"]
    states = panda.random(20, seed=3)
    poses = panda.fk(states)
    assert poses.shape == (20, len(panda.link_names), 4, 4) and poses.flags.c_contiguous
    compared = 0
    for state, pose_of_links in zip(states, poses):
        pinocchio.framesForwardKinematics(model, data, np.append(state, state[-1]))
        for name, pose in zip(panda.link_names, pose_of_links):
            frame = model.getFrameId(name, pinocchio.FrameType.BODY)
            np.testing.assert_allclose(pose, data.oMf[frame].homogeneous, atol=1e-12)
            compared += 1
    assert compared == 20 * len(panda.link_names)


def test_one_state_and_some_links(arm):
    pose = arm.fk([0.0, np.pi / 2], links=["lower"])
    assert pose.shape == (1, 4, 4)
    np.testing.assert_allclose(pose[0, :3, 3], [0.5, 0, 0.15], atol=1e-15)
    np.testing.assert_allclose(pose[0, :3, 0], [0, 1, 0], atol=1e-15)


def test_random_states_repeat_with_their_seed_and_keep_the_limits(hands):
    states = hands.random(500, seed=11)
    assert states.shape == (500, hands.position_count) and states.dtype == np.float64
    np.testing.assert_array_equal(states, hands.random(500, seed=11))
    assert not np.array_equal(states, hands.random(500, seed=12))
    assert not np.array_equal(hands.random(5), hands.random(5))
    assert (states >= hands.lower).all() and (states <= hands.upper).all()
    assert hands.random().shape == (hands.position_count,)
    assert hands.random(0).shape == (0, hands.position_count)


def test_states_by_name(arm):
    np.testing.assert_array_equal(arm.state({"elbow": 0.5}), [0.0, 0.5])
    np.testing.assert_array_equal(arm.state({"elbow": 0.5}, base=[1, 2]), [1.0, 0.5])
    with pytest.raises(ss.Error, match="`wrist`: no such joint or variable"):
        arm.state({"wrist": 0.0})


def test_groups_come_from_the_srdf(hands, arm):
    thumb = hands.groups["r_thumb"]
    assert "r_thumb_oppose" in thumb and set(thumb) <= set(hands.joint_names)
    assert "r_thumb_mount" not in thumb, "a fixed joint has no position"
    assert arm.groups == {}


def test_surfaces_replace_those_of_the_urdf():
    ball = "lower:\n  - {type: sphere, radius: 0.01}\n"
    thin = ss.Scene(ss.Robot.parse(ARM, surfaces=ball))
    # From the edge of the base, 0.4 m ahead and 0.1 m below.
    assert thin.clearance([0.0, 0.0]) == pytest.approx(np.hypot(0.4, 0.1) - 0.01, abs=1e-9)


def test_files_that_are_none_are_named(tmp_path):
    with pytest.raises(ss.Error, match="nowhere.urdf: No such file"):
        ss.Robot.load(tmp_path / "nowhere.urdf")
    with pytest.raises(ss.Error, match="urdf:1:1"):
        ss.Robot.parse("<robot")
    with pytest.raises(ss.Error, match='meshes is "some"'):
        ss.Robot.parse(ARM, meshes="some")


def test_the_shapes_of_a_link(arm, hands):
    ((shape, pose),) = arm.shapes("lower")
    assert shape == ss.box([0.36, 0.06, 0.06])
    np.testing.assert_array_equal(pose[:3, 3], [0.2, 0, 0])
    assert {shape.kind for link in hands.link_names for shape, _ in hands.shapes(link)} == {"superellipsoid", "superovoid"}
    with pytest.raises(ss.Error, match="the robot has no link `tail`"):
        arm.shapes("tail")
