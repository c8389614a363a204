"""Trace of a run, for Perfetto (ui.perfetto.dev), chrome://tracing and TensorBoard."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from tfmini._src.base.locks import make_lock
from tfmini._src.executor.tracing.recorder import clock
from tfmini._src.executor.tracing.step_stats import Run, runs
from tfmini._src.graph.stack_traces import user_location
from tfmini._src.session.run_hooks import WatchedStep

MAX_EVENTS = 1_000_000  # events; browsers fail to show larger traces

_STEPS = 1  # process id of steps; devices follow


class TraceFile:
    """Writes each finished step to `path`: one row for steps, one per device for nodes; notes at the end whether events
    beyond `max_events` were dropped.
    """

    def __init__(self, path: str, max_events: int = MAX_EVENTS):
        self.path = path
        self._file = open(path, "w", encoding="utf-8")
        self._file.write('{"displayTimeUnit": "ms", "traceEvents": [\n')
        self._limit = max_events
        self._lock = make_lock()
        self._start_time = clock()
        self._devices: dict[str, int] = {}
        self._threads: dict[tuple[int, int], int] = {}
        self._lines: dict[Any, str] = {}
        self.events = 0
        self.steps = 0
        self.left_out = 0
        self._name(_STEPS, "steps")

    def add(self, step: WatchedStep) -> None:
        """Adds a step."""
        with self._lock:
            if self.events >= self._limit or self._file.closed:
                self.left_out += 1
                return
            self.steps += 1
            name = f"run {self.steps}: {_step_name(step.fetches)}"
            thread = step.spans[0].thread if step.spans else 0
            self._region(_STEPS, thread, name, step.start_time, step.end_time, {})
            for run in runs(step.spans):
                self._add_node(run)

    def close(self) -> None:
        """Closes the file, and reports its event and step counts."""
        with self._lock:
            self._file.write("\n]}\n")
            self._file.close()
        suffix = f"; {self.left_out:,} steps more are not in it" if self.left_out else ""
        print(
            f"tfmini: {self.path} has {self.events:,} events of {self.steps:,} steps{suffix}",
            file=sys.stderr,
        )

    def _add_node(self, run: Run) -> None:
        pid = self._devices.get(run.device)
        if pid is None:
            pid = self._devices[run.device] = _STEPS + 1 + len(self._devices)
            self._name(pid, run.device.rpartition("/")[2] or "no device")
        arguments = {"name": run.name, "op": run.op.type, "line": self._line(run.op)}
        shapes = [list(result.shape) for _, _, result in run.outputs]
        if shapes:
            arguments["shapes"] = str(shapes)
        label = run.op.type if run.kind in ("op", "fused", "updates") else run.kind
        self._region(pid, run.thread, label, run.start_time, run.end_time, arguments)

    def _line(self, op: Any) -> str:
        if op not in self._lines:
            location = user_location(op._frames)
            self._lines[op] = "" if location is None else f"{location.filename}:{location.lineno}"
        return self._lines[op]

    def _region(
        self,
        pid: int,
        thread: int,
        name: str,
        start_time: int,
        end_time: int,
        arguments: dict[str, Any],
    ) -> None:
        event: dict[str, Any] = {"ph": "X", "cat": "Op", "name": name, "pid": pid}
        event["tid"] = self._threads.setdefault((pid, thread), len(self._threads) + 1)
        event["ts"], event["dur"] = (
            (start_time - self._start_time) / 1000,
            (end_time - start_time) / 1000,
        )
        event["args"] = arguments
        self._write(event)

    def _name(self, pid: int, name: str) -> None:
        self._write({"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}})

    def _write(self, event: dict[str, Any]) -> None:
        self._file.write((",\n" if self.events else "") + json.dumps(event))
        self.events += 1


def _step_name(fetches: Any) -> str:
    """Returns the short description of a step's fetches."""
    names = list(_fetch_names(fetches))
    text = ", ".join(names[:4])
    return f"{text}, ..." if len(names) > 4 else text


def _fetch_names(fetches: Any) -> Iterator[str]:
    if isinstance(fetches, dict):
        fetches = list(fetches.values())
    if isinstance(fetches, list | tuple):
        for fetch in fetches:
            yield from _fetch_names(fetch)
    else:
        yield str(getattr(fetches, "name", fetches))
