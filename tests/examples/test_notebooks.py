"""The notebooks run, and contain their output."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def test_notebook_count() -> None:
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_output_is_current(path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "ci.commands.generators.notebooks", str(path)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert process.stdout == path.read_text(encoding="utf-8")


def test_notebook_runs_without_ipython() -> None:
    (path,) = [path for path in NOTEBOOKS if path.stem == "gradients"]
    command = [sys.executable, "-m", "tfmini", "run", str(path)]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert "0.6667 by graph" in process.stdout
