"""`tensorflow.python.platform.googletest`: absl's tests under another name."""

import subprocess
import sys

from tfmini._src.models.test import googletest

PROGRAM = """
import sys
from tfmini._src.models.test import googletest

class Test(googletest.TestCase):
    def test_one(self):
        self.assertEqual(int(sys.argv[-1]), 1)

    @googletest.skipIf(True, "a reason")
    def test_skipped(self):
        raise AssertionError

googletest.g_main([sys.argv[0]])
"""


def run(argument):
    command = [sys.executable, "-c", PROGRAM, argument]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_main_runs_program_tests():
    passed, failed = run("1"), run("2")
    assert passed.returncode == 0 and "OK (skipped=1)" in passed.stderr
    assert failed.returncode == 1 and "AssertionError: 2 != 1" in failed.stderr


def test_stateful_session_is_unavailable():
    assert googletest.StatefulSessionAvailable() is False
