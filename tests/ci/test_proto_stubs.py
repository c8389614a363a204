"""The stub of messages is what ci/proto_stubs writes from the descriptors."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_stub_is_as_it_would_be_written():
    command = [sys.executable, str(ROOT / "ci" / "proto_stubs"), "--check"]
    assert subprocess.run(command, check=False).returncode == 0, "run ci/proto_stubs"
