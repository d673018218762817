"""The examples, and the Python in the documents."""

import re
import runpy
import sys
import urllib.request
import zlib
from pathlib import Path

import pytest

import smooth_scene as ss
from conftest import REPOSITORY

EXAMPLES = REPOSITORY / "crates/python/examples"
BENCHES = REPOSITORY / "crates/python/benches"


def test_ompl_goes_around_a_post():
    runpy.run_path(str(EXAMPLES / "ompl_around_a_post.py"), run_name="__main__")


def test_the_surfaces_of_a_scene_go_to_viser(monkeypatch):
    """A client that speaks viser's protocol would need a browser; the server holds what it sends."""
    monkeypatch.chdir(REPOSITORY)
    server = runpy.run_path(str(EXAMPLES / "viser_scene.py"))["main"]()
    try:
        names = set(server.scene._handle_from_node_name)
        robot = ss.Robot.load("urdf/icub_hands_mixed.urdf")
        links = [link for link in robot.link_names if robot.shapes(link)]
        assert {f"/{link}/0" for link in links} | {"/ball/0", "/nearest"} <= names and len(links) > 30
        assert urllib.request.urlopen(f"http://127.0.0.1:{server.get_port()}").status == 200
    finally:
        server.stop()


def test_a_recording_goes_to_rerun(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(REPOSITORY)
    file = tmp_path / "grasp.rrd"
    runpy.run_path(str(EXAMPLES / "rerun_scene.py"))["main"](file=str(file))
    assert file.read_bytes()[:3] == b"RRF" and file.stat().st_size > 100_000
    assert "states" in capsys.readouterr().out


def test_the_benchmark_runs_and_its_answers_agree(monkeypatch, capsys):
    """Few states and one round; the figures of docs/python.md come from whole runs. The Rust side is left out: it would be built."""
    arguments = ["--states", "200", "--rounds", "1", "--skip", "rust", "dask"]
    monkeypatch.setattr(sys, "argv", ["speed.py", *arguments])
    runpy.run_path(str(BENCHES / "speed.py"))["main"]()
    assert "; 0 answers differ" in capsys.readouterr().out


@pytest.mark.parametrize("document", ["docs/python.md", "README.md"])
def test_documents_run(document, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / document).read_text(), re.DOTALL)
    assert blocks
    monkeypatch.chdir(REPOSITORY)
    names = {}
    for block in blocks:
        exec(compile(block, document, "exec"), names)


def test_the_package_is_small_typed_and_for_every_python():
    folder = Path(ss.__file__).parent
    files = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    # abi3: one wheel for all versions of Python.
    assert {"py.typed", "_core.pyi", "_core.abi3.so"} <= set(files)
    # A wheel is a zip file.
    assert sum(len(zlib.compress(data)) for data in files.values()) < 15e6
