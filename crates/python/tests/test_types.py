"""The type stubs say what the package is, and its users' programs can be checked strictly."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "arguments", [["mypy.stubtest", "smooth_scene._core"], ["mypy", "--strict", "-p", "smooth_scene"]]
)
def test_types(arguments, tmp_path):
    # From another folder: the sources next to this file are not the package that is tested.
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


USER = """
import numpy as np

import smooth_scene as ss

robot: ss.Robot = ss.Robot.load("robot.urdf", srdf="robot.srdf")
scene = ss.Scene(robot)
scene.add("table", ss.box([1.2, 0.8, 0.04]), [0.6, 0.0, 0.4])
states = robot.random(100, seed=1)
free = np.asarray(scene.is_free(states), dtype=np.bool_)
names: list[str] = scene.nearest(states[0], k=5).body_a
length: float = scene.plan(states[0], states[1]).length
surfaces: list[int] = ss.fit("robot.urdf").surfaces
contact: float | None = ss.replay(scene, "bag").first_contact
with scene.show(open=False) as view:
    view.q = [0.0, 1.0]
    address: str = view.url
print(free.sum(), names, length, surfaces, contact, address)
"""


def pyright(folder, *files):
    """What strict pyright says about files that use the package as it is installed."""
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict", "pythonVersion": "3.10"}))
    program = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(folder)]
    done = subprocess.run([*program, *files], cwd=folder, capture_output=True, text=True)
    answer = json.loads(done.stdout)
    assert answer["summary"]["filesAnalyzed"] >= 1, done.stderr
    return [f"{d['file']}:{d['range']['start']['line'] + 1}: {d['message']}" for d in answer["generalDiagnostics"]]


def test_strict_pyright_accepts_the_package_and_a_program(tmp_path):
    import smooth_scene

    (tmp_path / "program.py").write_text(USER)
    # A copy: pyright does not report on what is in site-packages.
    source = Path(smooth_scene.__file__).parent
    (tmp_path / "smooth_scene").mkdir()
    for file in source.glob("*.py*"):
        (tmp_path / "smooth_scene" / file.name).write_bytes(file.read_bytes())
    assert pyright(tmp_path) == []


def test_strict_pyright_sees_mistakes(tmp_path):
    (tmp_path / "program.py").write_text(USER + "\nwrong: int = robot.joint_names\nscene.ad('x')\n")
    found = pyright(tmp_path, "program.py")
    assert len(found) >= 2 and any("joint_names" in f or "list[str]" in f for f in found) and any("ad" in f for f in found)


def test_every_public_name_is_documented():
    import smooth_scene as ss

    for name in ss.__all__:
        thing = getattr(ss, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        if isinstance(thing, type) and not issubclass(thing, Exception):
            for member in vars(thing):
                if not member.startswith("_"):
                    assert getattr(thing, member).__doc__, f"{name}.{member}"
