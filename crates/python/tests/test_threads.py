"""Several threads, several processes, and scenes that change meanwhile."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

import smooth_scene as ss


def test_any_number_of_threads_gives_the_same_bits(hands):
    scene, states = ss.Scene(hands), hands.random(500, seed=6)
    expected = scene.clearance(states, threads=1)
    for threads in [2, 3, 7, None]:
        np.testing.assert_array_equal(scene.clearance(states, threads=threads), expected)


def test_a_scene_changes_while_others_ask(scene, arm):
    """Every answer is that of the scene with the post here or there, never of something between."""
    states = arm.random(400, seed=3)
    here, there = [0.7, 0.0, 0.2], [-0.7, 0.0, 0.2]
    expected = []
    for place in (here, there):
        scene.move("post", place)
        expected.append(scene.is_free(states).tobytes())
    assert expected[0] != expected[1]
    wrong, done = [], threading.Event()

    def ask():
        while not done.is_set():
            answer = scene.is_free(states, threads=2).tobytes()
            if answer not in expected:
                wrong.append(answer)

    def change_arrays():
        numbers = states.copy()
        while not done.is_set():
            numbers[:] = np.random.default_rng().uniform(-2, 2, numbers.shape)
            scene.copy().is_free(numbers)

    threads = [threading.Thread(target=ask) for _ in range(3)] + [threading.Thread(target=change_arrays)]
    for thread in threads:
        thread.start()
    for k in range(300):
        scene.move("post", there if k % 2 else here)
        scene.add("other", ss.sphere(0.1), [0, 0, 5])
        scene.remove("other")
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_lock_of_the_interpreter_is_free_during_a_question(hands):
    """Another thread of Python goes on counting while one long question is answered."""
    scene, states = ss.Scene(hands), hands.random(20000, seed=2)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    scene.is_free(states, threads=1)
    during = counted[0] - before
    done.set()
    thread.join()
    assert during > 100


FORKING = """
import multiprocessing
import numpy as np
import smooth_scene as ss
from conftest import ARM


def ask(arguments):
    scene, states = arguments
    return scene.is_free(states, threads=2)


if __name__ == "__main__":
    scene = ss.Scene(ss.Robot.parse(ARM))
    scene.add("post", ss.cylinder(radius=0.05, length=1.0), [0.7, 0.0, 0.2])
    states = scene.robot.random(200, seed=1)
    expected = scene.is_free(states, threads=2)
    for method in ["fork", "spawn"]:
        with multiprocessing.get_context(method).Pool(2) as pool:
            answers = pool.map_async(ask, [(scene, states)] * 4).get(timeout=120)
        for answer in answers:
            np.testing.assert_array_equal(answer, expected)
    print("same answers", len(answers))
"""


def test_processes_that_were_forked_answer_too(tmp_path):
    """The threads of a pool do not survive a fork; the child has to make its own. In a process that has no other threads."""
    program = tmp_path / "forking.py"
    program.write_text(FORKING)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.stdout == "same answers 4\n", done.stderr
