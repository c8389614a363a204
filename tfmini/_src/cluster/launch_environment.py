"""Ends a launcher's tasks on this machine when it ends, even if it was killed (on Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

LAUNCHER = "TFMINI_LAUNCHER"
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def follow_launcher() -> None:
    """Makes Linux end this process by SIGTERM when its launcher, whose id is in `LAUNCHER`, has ended."""
    launcher = os.environ.pop(LAUNCHER, "")
    if not launcher or sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
    if os.getppid() == int(launcher):
        return
    try:
        os.kill(int(launcher), 0)  # it is there behind a program that stands for Python
    except ProcessLookupError:  # it had gone before
        os.kill(os.getpid(), signal.SIGTERM)
