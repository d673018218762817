"""Robots and scenes go to other processes whole."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import smooth_scene as ss


def test_a_scene_survives_with_all_its_changes(hands):
    scene = ss.Scene(hands)
    scene.add("table", [ss.box([1, 1, 0.1]), (ss.half_space([0, 0, 1], 0.0), [0, 0, -1])], [0.5, 0, -0.3])
    scene.attach("pen", "r_index_3", ss.capsule(0.004, 0.1), [0.01, 0, 0], touch_links=["r_thumb_4"])
    scene.allow("table", "r_index_3")
    scene.allow("pen", allowed=False)
    scene.pad(0.003, link="r_palm", self_padding=0.001, scale=1.1)
    scene.margin("r_palm", "table", 0.01)
    again = pickle.loads(pickle.dumps(scene))
    assert again == scene and repr(again) == repr(scene)
    states = hands.random(200, seed=8)
    np.testing.assert_array_equal(again.clearance(states), scene.clearance(states))
    assert again.robot.groups == hands.groups and again.robot.joint_names == hands.joint_names
    again.remove("table")
    assert again != scene


def test_a_robot_of_meshes_goes_without_its_files(panda, tmp_path):
    scene = ss.Scene(panda)
    states = panda.random(100, seed=1)
    (tmp_path / "scene.pickle").write_bytes(pickle.dumps(scene))
    np.save(tmp_path / "states.npy", states)
    # Another process, in a folder without any mesh.
    program = (
        "import pickle, numpy as np; scene = pickle.load(open('scene.pickle', 'rb'));"
        "np.save('answers.npy', scene.clearance(np.load('states.npy')))"
    )
    environment = {name: value for name, value in os.environ.items() if name == "PYTHONPATH"}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, env=environment)
    # The vertices of a mesh may come back in another order, which may change the last digits.
    np.testing.assert_allclose(np.load(tmp_path / "answers.npy"), scene.clearance(states), atol=1e-9)


def test_a_pickle_that_was_changed_is_refused(arm):
    function, (urdf, srdf, surfaces, sidecar) = arm.__reduce__()
    assert ss.Scene(function(urdf, srdf, surfaces, sidecar)) == ss.Scene(arm)
    link, name, pose, shape = surfaces[0]
    for changed in [
        ("nowhere", name, pose, shape),
        (link, name, [0.0] * 7, shape),
        (link, name, [float("nan")] * 7, shape),
        (link, name, pose, "type: torus"),
        (link, name, pose, "}{"),
    ]:
        try:
            function(urdf, srdf, [changed], sidecar)
        except ss.Error:
            continue
        raise AssertionError(changed)


def test_answers_survive(scene, arm):
    states = arm.random(20, seed=1)
    motion = scene.check_motion(states[:10], states[10:])
    answers = [
        scene.nearest(states, 2),
        scene.contacts(states),
        scene.gradient(states),
        scene.gradient(states[0]),
        motion,
        scene.check_motion(states[0], states[1]),
        ss.distance(ss.sphere(1), states[:, [0, 1, 1]], ss.box([1, 1, 1]), [2, 0, 0], curvature=True),
        ss.distance(ss.sphere(1), [0, 0, 0], ss.sphere(1), [3, 0, 0]),
    ]
    for answer in answers:
        again = pickle.loads(pickle.dumps(answer))
        fields = [name for name in dir(type(answer)) if not name.startswith("_") and name != "to_pandas"]
        assert repr(again) == repr(answer) and len(fields) >= 4
        for name in fields:
            np.testing.assert_array_equal(getattr(again, name), getattr(answer, name))
        assert again.to_pandas().equals(answer.to_pandas())
    assert len(scene.gradient(states).to_pandas()) == 20 and len(scene.gradient(states[0]).to_pandas()) == 1


def test_a_plan_takes_its_proof_along(scene):
    plan = scene.plan([1.0, 0.3], [-1.0, -0.3])
    again = pickle.loads(pickle.dumps(plan))
    np.testing.assert_array_equal(again.waypoints, plan.waypoints)
    assert repr(again) == repr(plan) and again.verify(scene) == plan.verify(scene) > 0
    assert (again.seconds, again.states_checked, again.length) == (plan.seconds, plan.states_checked, plan.length)
    function, (waypoints, length, proof, *rest) = plan.__reduce__()
    changed = [list(waypoint) for waypoint in waypoints]
    changed[1][0] += 0.1
    with pytest.raises(ss.Error, match="is not that of the path"):
        function(changed, length, proof, *rest).verify(scene)
    with pytest.raises(ss.Error, match="without waypoints"):
        function([], length, proof, *rest)
