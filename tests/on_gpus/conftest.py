"""Fixtures of the GPU tests."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60  # of a program


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Gives program tests enough time, despite the short timeout of `ci/gpu`."""
    for item in items:
        if "in_a_process" in item.fixturenames:
            item.add_marker(pytest.mark.timeout(SECONDS + 15))


@pytest.fixture(autouse=True)
def _as_needed(monkeypatch):
    """A process's first session decides its memory growth: a little at a time, for all tests."""
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")


@pytest.fixture
def in_a_process():
    """A function that runs a program in a new process and returns its output."""

    def run(program, **environment):
        unwanted = ("TF_FORCE_GPU_ALLOW_GROWTH", "TFMINI_")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", program],
            env={**kept, "PYTHONPATH": path, **environment},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run
