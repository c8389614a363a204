"""ci/gpu says what it misses, and leaves no result, where there is no card that it can use."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, nvidia_smi: str) -> subprocess.CompletedProcess:
    """The command, with this text as the program nvidia-smi, and all cards hidden."""
    program = folder / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n{nvidia_smi}\n")
    program.chmod(0o755)
    environment = {**os.environ, "PYTHON": sys.executable, "CUDA_VISIBLE_DEVICES": "-1"}
    environment["PATH"] = f"{folder}:/usr/bin:/bin"
    return subprocess.run(
        ["ci/gpu"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(autouse=True)
def no_results():
    before = sorted((ROOT / "ci" / "results").iterdir())
    yield
    assert sorted((ROOT / "ci" / "results").iterdir()) == before


def test_no_card(tmp_path: Path) -> None:
    done = run(tmp_path, "echo 'No devices were found' >&2; exit 6")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "ci/gpu: nvidia-smi finds no device\n"


def test_a_card_that_tfmini_does_not_find(tmp_path: Path) -> None:
    done = run(tmp_path, "echo 'Some Card, 1.0'")
    assert (done.returncode, done.stdout) == (1, "")
    first, second = done.stderr.splitlines()
    assert first == "CUDA_VISIBLE_DEVICES='-1' hides all GPUs."
    assert second.startswith(f"ci/gpu: not with {sys.executable}; ")


def test_what_it_carries_is_what_the_project_needs() -> None:
    """The comment names each dependency, those of the tests that cards see, and CuPy with CUDA's libraries."""
    tomllib = pytest.importorskip("tomllib")  # of Python 3.11
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = project["optional-dependencies"]["cuda13"]
    comment = (ROOT / "ci" / "gpu").read_text(encoding="utf-8").partition("set -uo")[0]
    wanted = [re.match(r"[\w-]+(\[\w+\])?", line)[0] for line in [*project["dependencies"], *extra]]
    assert "cupy-cuda13x[ctk]" in wanted
    assert [name for name in wanted if name not in comment.split()] == []
