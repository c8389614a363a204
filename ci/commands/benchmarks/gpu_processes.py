"""The measuring processes of `ci/bench gpu`: one per side and environment, with time limits."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Any

from ci.commands.benchmarks.sides import ROOT

LIMIT = float(os.environ.get("BENCH_LIMIT") or 300)  # seconds of one measurement
MODULE = "ci.commands.benchmarks.gpu_sides"
Key = tuple[str, tuple[tuple[str, str], ...]]


class Process:
    """A process of one side: `python -m ci.commands.benchmarks.gpu_sides SIDE`."""

    def __init__(self, side: str, environment: Mapping[str, str]):
        self._errors = tempfile.TemporaryFile("w+")
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        self._process: Any = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", MODULE, side],
            env={**os.environ, "PYTHONPATH": path, **environment},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
        )

    def ask(self, work: str, limit: float) -> dict[str, Any]:
        """The answer to one request.

        Raises:
          TimeoutError: after the limit.
          RuntimeError: if the process has ended; with the last line of its output.
        """
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(work.encode() + b"\n")
        end = time.monotonic() + limit
        answer = b""
        while not answer.endswith(b"\n"):
            if not select.select([self._process.stdout], [], [], max(0.0, end - time.monotonic()))[
                0
            ]:
                raise TimeoutError(f"took more than {limit:g} s")
            if not (part := os.read(self._process.stdout.fileno(), 1 << 16)):
                raise RuntimeError(self._last_words())
            answer += part
        return json.loads(answer)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return lines[-1] if lines else f"exit status {self._process.wait()}"


class Processes:
    """All processes, started on demand; a context manager. Measurements are cached.

    Args:
      limit: seconds for a measurement, including the start of its process.
    """

    def __init__(self, limit: float = LIMIT):
        self._limit = limit
        self._running: dict[Key, Process] = {}
        self._known: dict[tuple[str, Key], dict[str, Any]] = {}

    def measured(self, name: str, environment: Mapping[str, str]) -> dict[str, Any]:
        """The figures of "SIDE WORK ARGUMENTS", or {"missing": why}; a failure is missing too, with "failed"."""
        side, _, work = name.partition(" ")
        key = side, tuple(sorted(environment.items()))
        if (work, key) not in self._known:
            self._known[work, key] = self._ask(key, work)
        return self._known[work, key]

    def _ask(self, key: Key, work: str) -> dict[str, Any]:
        if key not in self._running:
            self._running[key] = Process(key[0], dict(key[1]))
        try:
            return self._running[key].ask(work, self._limit)
        except (TimeoutError, RuntimeError) as error:
            self._running.pop(key).end()
            failed = {"failed": True} if isinstance(error, RuntimeError) else {}
            return {"missing": str(error)[:200], **failed}

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._running.values():
            process.end()
