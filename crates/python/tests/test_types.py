"""The type stubs say what the package is."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "arguments", [["mypy.stubtest", "smooth_scene._core"], ["mypy", "--strict", "-p", "smooth_scene"]]
)
def test_types(arguments, tmp_path):
    # From another folder: the sources next to this file are not the package that is tested.
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


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
