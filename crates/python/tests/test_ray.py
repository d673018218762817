"""A real cluster of Ray on loopback."""

import os
import signal
import threading
import time

import numpy as np
import pytest
import ray

import smooth_scene as ss
import smooth_scene.ray


@pytest.fixture(scope="module")
def cluster():
    ray.init(
        num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False, object_store_memory=100 << 20
    )
    yield
    ray.shutdown()


def test_a_cluster_answers_as_one_process(cluster, scene, arm, tmp_path):
    states = arm.random(1003, seed=1)
    np.testing.assert_array_equal(ss.ray.is_free(scene, states, block=100), scene.is_free(states))
    np.testing.assert_array_equal(ss.ray.clearance(scene, states, block=300), scene.clearance(states))
    assert ss.ray.is_free(scene, states[:0]).shape == (0,)
    paths = [arm.random(4, seed=seed) for seed in range(30)]
    found = ss.ray.check_paths(scene, paths, block=7)
    assert found["is_free"].tolist() == [scene.check_path(path).is_free for path in paths]
    ss.write_bag(tmp_path / "bag", arm, [0.0, 0.5], arm.random(2, seed=1))
    assert ss.ray.replay(scene, [tmp_path / "bag"]) == [ss.replay(scene, tmp_path / "bag")]


def test_a_worker_that_is_killed_loses_nothing(cluster, hands, tmp_path):
    scene, states = ss.Scene(hands), hands.random(20_000, seed=2)
    killed = threading.Event()

    def kill():
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            busy = [int(p) for p in os.listdir("/proc") if p.isdigit() and is_busy_worker(p)]
            if busy:
                os.kill(busy[0], signal.SIGKILL)
                killed.set()
                return
            time.sleep(0.001)

    thread = threading.Thread(target=kill)
    thread.start()
    answers = ss.ray.is_free(scene, states, block=100)
    thread.join()
    assert killed.is_set(), "killed in the middle"
    np.testing.assert_array_equal(answers, scene.is_free(states))


def is_busy_worker(process):
    """Whether a process of this cluster is at work on a block: Ray names it after the function."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            name = file.read()
    except OSError:
        return False
    return name.startswith(b"ray::ask")


def test_bad_states_are_refused_before_and_by_the_workers(cluster, scene):
    with pytest.raises(ss.Error, match=r"q has shape \(3,\)"):
        ss.ray.is_free(scene, np.zeros(3))
    with pytest.raises(ValueError, match="block is 0"):
        ss.ray.is_free(scene, np.zeros((5, 2)), block=0)
    with pytest.raises(ValueError, match="state 1: .*NaN"):
        ss.ray.is_free(scene, [[0, 0], [0, np.nan]])
