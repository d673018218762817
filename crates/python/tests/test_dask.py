"""A real cluster of processes on loopback."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from distributed import Client, LocalCluster

import smooth_scene as ss
import smooth_scene.dask


@pytest.fixture(scope="module")
def client():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster, Client(cluster) as client:
        yield client


def test_a_cluster_answers_as_one_process(client, scene, arm):
    states = arm.random(1003, seed=1)
    np.testing.assert_array_equal(ss.dask.is_free(client, scene, states, block=100), scene.is_free(states))
    np.testing.assert_array_equal(ss.dask.clearance(client, scene, states, block=100), scene.clearance(states))
    assert ss.dask.is_free(client, scene, states[:0]).shape == (0,)
    paths = [arm.random(4, seed=seed) for seed in range(30)]
    found = ss.dask.check_paths(client, scene, paths, block=7)
    expected = [scene.check_path(path) for path in paths]
    assert found["is_free"].tolist() == [motion.is_free for motion in expected]
    np.testing.assert_array_equal(found["free_until"], [motion.free_until for motion in expected])
    assert 0 < found["is_free"].sum() < 30


def test_a_worker_that_is_killed_loses_nothing(client, hands):
    scene, states = ss.Scene(hands), hands.random(40_000, seed=2)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(ss.dask.is_free(client, scene, states, block=100)))
    thread.start()

    def blocks_done(dask_scheduler):
        return sum(task.state == "memory" for task in dask_scheduler.tasks.values())

    deadline = time.monotonic() + 120
    while (done := client.run_on_scheduler(blocks_done)) < 20 and time.monotonic() < deadline:
        time.sleep(0.001)
    process = next(iter(client.run(os.getpid).values()))
    os.kill(process, signal.SIGKILL)
    assert 20 <= done < 400, "killed in the middle"
    thread.join(timeout=300)
    assert len(answers) == 1
    np.testing.assert_array_equal(answers[0], scene.is_free(states))


def test_bad_states_are_refused_before_and_by_the_workers(client, scene):
    with pytest.raises(ss.Error, match=r"q has shape \(3,\)"):
        ss.dask.is_free(client, scene, np.zeros(3))
    with pytest.raises(ValueError, match=r"must be \(n, 2\)"):
        ss.dask.is_free(client, scene, np.zeros(2))
    with pytest.raises(ValueError, match="block is 0"):
        ss.dask.is_free(client, scene, np.zeros((5, 2)), block=0)
    with pytest.raises(ss.Error, match="state 1: .*NaN"):
        ss.dask.is_free(client, scene, [[0, 0], [0, np.nan]])


def test_recordings_over_a_cluster(client, scene, arm, tmp_path):
    paths = []
    for seed in range(8):
        paths.append(tmp_path / f"bag{seed}")
        ss.write_bag(paths[-1], arm, [0.0, 0.5, 2.0], arm.random(3, seed=seed))
    found = ss.dask.replay(client, scene, paths, block=3)
    assert found == [ss.replay(scene, path) for path in paths]
    assert 0 < sum(one.is_free for one in found) < 8 and [one.path for one in found] == [str(path) for path in paths]
    with pytest.raises(ss.Error, match="nowhere"):
        ss.dask.replay(client, scene, [tmp_path / "nowhere"])
