"""Runs one step within its time limit."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

GRACE = 4.0  # seconds from the interrupt, after which pytest still writes its report, to the kill


@dataclass(frozen=True)
class Ended:
    """How a step ended: its exit status, None if it reached its limit, and its seconds."""

    status: int | None
    seconds: float

    @property
    def text(self) -> str:
        if self.status is None:
            return "stopped"
        return f"exit {self.status}" if self.status else "ok"


def run(
    command: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    limit: float,
) -> Ended:
    """Runs a command, streaming its output to the log; terminates its whole process group at the end.

    Shortly before `limit` seconds the command is interrupted as by Ctrl-C, then killed.
    """
    begin = time.monotonic()
    grace = min(GRACE, limit / 8)
    with log.open("a", encoding="utf-8") as output:
        output.write("$ " + " ".join(command).replace("\n", "; ") + "\n")
        output.flush()
        process = subprocess.Popen(
            command,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=os.setpgrp,  # no separate session: it could outlive a remote command
        )
        try:
            status = _wait(process, max(0.0, limit - grace), grace)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)  # a process hanging in the driver survives even SIGKILL
    return Ended(status, time.monotonic() - begin)


def _wait(process: subprocess.Popen, seconds: float, grace: float) -> int | None:
    """The exit status; None if the process had to be interrupted."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(seconds)
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(grace)
    return None
