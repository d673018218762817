"""PyTorch. Its wheels need 3 GB of CUDA, so the tests take the package of the system (Debian: python3-torch), whose Python is then
used with the package as it is installed here. That also tries the wheel with another NumPy."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import smooth_scene as ss
from conftest import ARM


def test_gradients(tmp_path):
    python = sys.executable if importlib.util.find_spec("torch") else "/usr/bin/python3"
    # Nothing else of this environment.
    (tmp_path / "smooth_scene").symlink_to(Path(ss.__file__).parent)
    (tmp_path / "arm.urdf").write_text(ARM)
    done = subprocess.run(
        [python, str(Path(__file__).with_name("torch_gradients.py"))],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("compared "), done.stderr
