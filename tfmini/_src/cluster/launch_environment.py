"""Ends a launcher's tasks on this machine when the launcher ends, even if it is killed (on Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

LAUNCHER = "TFMINI_LAUNCHER"
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def follow_launcher() -> None:
    """Makes Linux send this process SIGTERM when its launcher, the process in the variable `LAUNCHER`, ends."""
    launcher = os.environ.pop(LAUNCHER, "")
    if not launcher or sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
    if os.getppid() == int(launcher):
        return
    try:
        os.kill(int(launcher), 0)  # the grandparent if a wrapper started Python
    except ProcessLookupError:  # the launcher had already ended
        os.kill(os.getpid(), signal.SIGTERM)
