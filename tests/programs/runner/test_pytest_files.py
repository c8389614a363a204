"""Test files under `python -m tfmini run -m pytest`: calls keep their old behavior."""

from tests.programs.cli.test_run import run, start

SOURCE = """\
import numpy as np
from unittest import TestCase
def test_values():
    assert float(np.array([2.0])) == 2.0
    assert np.uint8(255).max() + 1 == 256
class Other(TestCase):
    def test_length(self):
        self.assertEqual(int(np.array([[3]])), 3)
"""
PYTEST = ["-m", "pytest", "-q", "-p", "no:randomly", "test_it.py"]


def test_test_file_calls_keep_old_behavior(tmp_path):
    (tmp_path / "test_it.py").write_text(SOURCE)
    for _ in range(2):  # the second time from pytest's cache
        process = run(*PYTEST, cwd=tmp_path)
        assert "2 passed" in process.stdout, process.stdout + process.stderr
    alone = start(PYTEST, tmp_path, "", None)
    assert "2 passed" not in alone.stdout, alone.stdout + alone.stderr


def test_assertion_details_are_shown(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "def test_it():\n    a = [1]\n    assert len(a) + 1 == 3\n"
    )
    process = run(*PYTEST, cwd=tmp_path)
    assert "assert (1 + 1) == 3" in process.stdout and "1 failed" in process.stdout
