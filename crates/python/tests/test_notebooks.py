"""The notebooks run from their first cell to the last, and are stored without outputs."""

import os
from pathlib import Path

import nbclient
import nbformat
import pytest

from conftest import REPOSITORY

FOLDER = REPOSITORY / "crates/python/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and all(not cell.outputs and cell.execution_count is None for cell in code)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": FOLDER}}).execute()
    pictures = [o for cell in code for o in cell.outputs if "image/png" in o.get("data", {})]
    assert pictures, "there is something to look at"
    # NOTEBOOK_OUTPUT=folder keeps the executed notebooks.
    if folder := os.environ.get("NOTEBOOK_OUTPUT"):
        nbformat.write(notebook, Path(folder) / path.name)


def test_there_is_a_notebook_for_each_thing_people_want():
    assert {path.stem for path in NOTEBOOKS} == {
        "first_distance",
        "my_robot_in_a_world",
        "planning_with_ompl",
        "trajectory_optimisation",
        "grasp_contacts",
        "replaying_a_bag",
    }
