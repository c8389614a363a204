"""Importing tfmini leaves the garbage collector as it was."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("before", ["enable", "disable"])
def test_the_collector_is_as_before(before):
    code = f"import gc; gc.{before}(); import tfmini; print(gc.isenabled())"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert printed.stdout.strip() == str(before == "enable")
