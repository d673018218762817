"""Recordings of rosbag2, against rosbags and mcap."""

import pickle

import numpy as np
import pytest
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

import smooth_scene as ss
from conftest import REPOSITORY, URDF

BAG = REPOSITORY / "config/two_hand_grasp_bag"


@pytest.fixture(scope="module")
def grasp():
    return ss.read_bag(BAG)


def messages(path):
    """Time and message of each joint state, as rosbags reads them."""
    with AnyReader([path], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as reader:
        chosen = [c for c in reader.connections if c.msgtype == "sensor_msgs/msg/JointState"]
        return [(time, reader.deserialize(raw, c.msgtype)) for c, time, raw in reader.messages(connections=chosen)]


def test_states_are_those_that_rosbags_reads(grasp):
    expected = messages(BAG)
    assert len(grasp) == len(expected) > 10
    for state, seconds, (time, message) in zip(grasp.states, grasp.times, expected):
        assert seconds == pytest.approx((time - expected[0][0]) * 1e-9, abs=1e-9)
        by_name = dict(zip(message.name, message.position))
        np.testing.assert_array_equal(state, [by_name[name] for name in grasp.robot.joint_names])
    assert set(grasp.moved) == set(grasp.robot.joint_names) and grasp.unknown == {} and grasp.notes == []


def test_the_robot_is_the_one_in_the_recording(grasp):
    assert grasp.robot.name == "icub_arms_hands" and "r_hand" in grasp.robot.groups
    own = ss.Robot.load(URDF / "icub_arms_hands_mixed.urdf", srdf=URDF / "icub_arms_hands.srdf")
    given = ss.read_bag(BAG, own)
    assert given.robot is own
    np.testing.assert_array_equal(given.states, grasp.states)


def test_the_grasp_ends_in_contact(grasp):
    scene = ss.Scene(grasp.robot)
    found = ss.replay(scene, grasp)
    assert not found.is_free and 0 < found.free_until <= found.first_contact < grasp.seconds == found.seconds
    free = scene.is_free(grasp.states)
    # States before the first contact are free, and one soon after it is not.
    before = grasp.times < found.free_until
    assert free[before].all() and not free[~before].all()
    assert ss.replay(scene, BAG) == found and found.states == len(grasp)
    for finger in grasp.robot.link_names:
        scene.allow(finger)
    assert ss.replay(scene, grasp).is_free


def test_what_is_written_is_read_again(arm, tmp_path):
    times, states = np.array([0.0, 0.25, 0.25, 1.5]), arm.random(4, seed=2)
    ss.write_bag(tmp_path / "bag", arm, times, states, start=1_700_000_000.0)
    again = ss.read_bag(tmp_path / "bag")
    np.testing.assert_array_equal(again.states, states)
    np.testing.assert_allclose(again.times, times, atol=1e-9)
    assert ss.Scene(again.robot) == ss.Scene(arm) and again.seconds == 1.5
    theirs = messages(tmp_path / "bag")
    assert [time - 1_700_000_000_000_000_000 for time, _ in theirs] == [0, 250_000_000, 250_000_000, 1_500_000_000]
    assert [list(m.position) for _, m in theirs] == states.tolist()
    assert theirs[0][1].name == arm.joint_names
    stamp = theirs[3][1].header.stamp
    assert stamp.sec == 1_700_000_001 and stamp.nanosec == 500_000_000


def test_surfaces_and_groups_go_with_the_recording(tmp_path):
    (tmp_path / "surfaces.yaml").write_text("r_index_3:\n  - {type: sphere, radius: 0.011}\n")
    robot = ss.Robot.load(
        URDF / "icub_hands_mixed.urdf", srdf=URDF / "icub_hands.srdf", surfaces=tmp_path / "surfaces.yaml"
    )
    for number, one in enumerate([robot, pickle.loads(pickle.dumps(robot))]):
        path = tmp_path / f"bag{number}"
        ss.write_bag(path, one, [0.0], robot.default[None])
        again = ss.read_bag(path).robot
        assert again.groups == robot.groups and ss.Scene(again) == ss.Scene(robot)


def test_a_recording_of_one_state(scene, arm, tmp_path):
    ss.write_bag(tmp_path / "bag", arm, [0.0], [[1.5, 0.0]], topic="arm/joint_states")
    found = ss.replay(scene, tmp_path / "bag")
    assert found.is_free and found.states == 1 and found.seconds == 0.0
    assert ss.read_bag(tmp_path / "bag", topic="/arm/joint_states").moved == ["elbow", "shoulder"]


def test_recordings_survive_pickling_and_are_tables(grasp):
    again = pickle.loads(pickle.dumps(grasp))
    np.testing.assert_array_equal(again.states, grasp.states)
    assert repr(again) == repr(grasp) and again.path == grasp.path and again.robot.name == "icub_arms_hands"
    table = grasp.to_pandas()
    assert list(table.columns) == ["time", *grasp.robot.joint_names] and len(table) == len(grasp)


def test_what_cannot_be_read_is_named(arm, scene, grasp, tmp_path):
    with pytest.raises(ss.Error, match="nowhere: No such file"):
        ss.read_bag(tmp_path / "nowhere")
    with pytest.raises(ss.Error, match="none of its joints is one of robot `arm`"):
        ss.read_bag(BAG, arm)
    with pytest.raises(ss.Error, match="no joint states to replay on `/other`; its topics are: "):
        ss.read_bag(BAG, topic="/other")
    (tmp_path / "broken.mcap").write_bytes(b"not a recording")
    with pytest.raises(ss.Error, match="broken.mcap: neither MCAP nor SQLite3"):
        ss.read_bag(tmp_path / "broken.mcap")
    with pytest.raises(ValueError, match="other joints than that of the scene"):
        ss.replay(scene, grasp)


def test_a_cut_recording_is_read_as_far_as_it_goes(arm, tmp_path):
    ss.write_bag(tmp_path / "bag", arm, np.arange(500.0), arm.random(500, seed=1))
    (file,) = (tmp_path / "bag").glob("*.mcap")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) * 2 // 3])
    cut = ss.read_bag(tmp_path / "bag")
    assert 0 < len(cut) < 500 and cut.notes
    np.testing.assert_array_equal(cut.states, arm.random(500, seed=1)[: len(cut)])


@pytest.mark.parametrize(
    "times, states, message",
    [
        ([0.0], [1.0, 0.0], r"states is one state, must be \(n, position_count\)"),
        ([], np.zeros((0, 2)), "states has no states"),
        ([0.0, 1.0], [[1.0, 0.0]], r"times has shape \(2,\), must be \(1,\)"),
        ([1.0, 0.5], [[1.0, 0.0]] * 2, r"times\[1\] is 0.5, less than the one before"),
        ([np.nan], [[1.0, 0.0]], r"times\[0\] is NaN"),
        ([-1.0], [[1.0, 0.0]], "must be from 1970 to 2038"),
        ([0.0], [[1.0, np.nan]], r"state 0: positions\[1\] \(`elbow`\) is NaN"),
        ([0.0], [[1.0]], r"states has shape \(1, 1\)"),
    ],
)
def test_what_cannot_be_written_leaves_nothing_behind(arm, tmp_path, times, states, message):
    with pytest.raises(ss.Error, match=message):
        ss.write_bag(tmp_path / "bag", arm, times, states)
    assert not (tmp_path / "bag").exists()


def test_a_recording_is_not_replaced(arm, tmp_path):
    ss.write_bag(tmp_path / "bag", arm, [0.0], [[0.0, 0.0]])
    with pytest.raises(ss.Error, match="bag: File exists"):
        ss.write_bag(tmp_path / "bag", arm, [0.0], [[0.0, 0.0]])
