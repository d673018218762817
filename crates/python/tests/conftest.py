"""Robots for the tests: the bundled hands, an arm of two joints written here, and the Panda of example-robot-data."""

import signal
import threading
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import smooth_scene as ss

REPOSITORY = Path(__file__).resolve().parents[3]
URDF = REPOSITORY / "urdf"

ARM = """<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.25 0 0" rpy="0 1.5707963267948966 0"/>
    <geometry><cylinder radius="0.04" length="0.4"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.2 0 0"/><geometry><box size="0.36 0.06 0.06"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.15"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="1" effort="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-2.5" upper="2.5" velocity="1" effort="1"/></joint>
</robot>"""


@pytest.fixture(scope="session")
def hands():
    return ss.Robot.load(URDF / "icub_arms_hands_mixed.urdf", srdf=URDF / "icub_arms_hands.srdf")


@pytest.fixture(scope="session")
def arm():
    return ss.Robot.parse(ARM)


@pytest.fixture
def scene(arm):
    """The arm and a post that it meets when the shoulder is at zero."""
    scene = ss.Scene(arm)
    scene.add("post", ss.cylinder(radius=0.05, length=1.0), [0.7, 0.0, 0.2])
    return scene


@pytest.fixture(scope="session")
def panda_urdf():
    import pinocchio

    # Both come with cmeel, which puts all its packages under one prefix.
    prefix = Path(pinocchio.__file__).parents[4]
    return prefix / "share/example-robot-data/robots/panda_description/urdf/panda.urdf"


@pytest.fixture(scope="session")
def panda(panda_urdf):
    # The meshes are named package://example-robot-data/robots/…
    return ss.Robot.load(panda_urdf, package_paths=[panda_urdf.parents[4]])


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@contextmanager
def ctrl_c_after(seconds):
    """Ctrl-C during what follows."""
    # A shell starts programs in the background with this signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        yield
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
