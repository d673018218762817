"""The examples, and the Python in the documents."""

import os
import re
import runpy
import sys

import pytest

from conftest import REPOSITORY

EXAMPLES = sorted((REPOSITORY / "crates/python/examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_examples_run(example, panda_urdf, monkeypatch, capsys):
    arguments = [str(panda_urdf), str(panda_urdf.parents[4])] if example.name == "speed.py" else []
    monkeypatch.setattr(sys, "argv", [str(example), *arguments])
    runpy.run_path(str(example), run_name="__main__")
    if example.name == "speed.py":
        assert " 0 answers differ" in capsys.readouterr().out


@pytest.mark.parametrize("document", ["docs/python.md", "README.md"])
def test_documents_run(document, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / document).read_text(), re.DOTALL)
    assert blocks
    monkeypatch.chdir(REPOSITORY)
    names = {}
    for block in blocks:
        exec(compile(block, document, "exec"), names)


def test_the_types_of_the_package_are_installed():
    import smooth_scene

    files = os.listdir(os.path.dirname(smooth_scene.__file__))
    assert {"py.typed", "_core.pyi"} <= set(files)
