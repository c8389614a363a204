"""docs/rooms.md is what ci/rooms writes from the tables of the layer test."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_follows_the_tables():
    command = [sys.executable, str(ROOT / "ci" / "rooms"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
