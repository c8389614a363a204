"""Timelines of collective operations, for chrome://tracing: rank 0 writes the file named by HOROVOD_TIMELINE.

Each operation has a row, in the format of Horovod 0.21 (its documentation, "Analyze performance"): NEGOTIATE_ALLREDUCE
while ranks are missing, with a tick for each arrival, then ALLREDUCE during the transfer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from time import monotonic, time
from typing import Any

from tfmini._src.base.locks import make_lock


class Timeline:
    """An event file, readable up to its last event even after a crash.

    Args:
      path: the file.
      size: number of ranks per operation.
    """

    def __init__(self, path: str, size: int):
        self._size = size
        self._lock = make_lock()
        self._begin = monotonic()
        self._rows: dict[str, int] = {}
        self._missing: dict[str, tuple[str, set[int]]] = {}
        self._file = open(path, "w", encoding="utf-8")
        self._file.write("[\n")

    def _write(self, name: str, event: dict[str, Any], age: float = 0.0) -> None:
        """Adds an event, `age` seconds old, to an operation's row; the caller holds the lock."""
        row = self._rows.get(name)
        if row is None:
            row = self._rows[name] = len(self._rows)
            self._line({"name": "process_name", "ph": "M", "pid": row, "args": {"name": name}})
            self._line(
                {"name": "process_sort_index", "ph": "M", "pid": row, "args": {"sort_index": row}}
            )
        self._line({**event, "ts": int((monotonic() - self._begin - age) * 1e6), "pid": row})

    def _line(self, event: dict[str, Any]) -> None:
        if not self._file.closed:
            self._file.write(json.dumps(event) + ",\n")
            self._file.flush()

    @contextmanager
    def operation(self, name: str, activity: str, rank: int) -> Iterator[None]:
        """Context manager around an operation of a kind such as "ALLREDUCE" on this rank."""
        with self._lock:
            self._missing[name] = activity, set(range(self._size))
            self._write(name, {"ph": "B", "name": f"NEGOTIATE_{activity}"})
        self.record_arrival(name, rank)
        try:
            yield
        finally:
            with self._lock:
                self._missing.pop(name, None)
                self._write(name, {"ph": "E"})

    def record_arrival(self, name: str, rank: int, age: float = 0.0) -> None:
        """Records that a rank has reached an operation; after the last one, the transfer starts."""
        with self._lock:
            activity, missing = self._missing.get(name, ("", set()))
            if rank not in missing:
                return
            missing.discard(rank)
            self._write(name, {"ph": "X", "name": str(rank), "dur": 0}, age)
            if not missing:
                self._write(name, {"ph": "E"})
                self._write(name, {"ph": "B", "name": activity})

    def close(self) -> None:
        """Ends the file."""
        with self._lock:
            self._file.write("{}]\n")
            self._file.close()


# The current one; None if another rank writes it.
_open: list[Timeline | None] = []


def open_timeline(path: str, size: int, rank: int) -> None:
    """Starts a timeline, written by rank 0, replacing any current one."""
    close_timeline()
    _open.append(None if rank else Timeline(path, size))


def is_open() -> bool:
    """Whether a timeline is being written, by any rank."""
    return bool(_open)


def close_timeline() -> None:
    """Ends the current timeline, if any."""
    timeline = _open.pop() if _open else None
    if timeline is not None:
        timeline.close()


@contextmanager
def record_operation(name: str, activity: str, rank: int) -> Iterator[None]:
    """Context manager around an operation, recorded in the timeline, if any."""
    timeline = _open[0] if _open else None
    with nullcontext() if timeline is None else timeline.operation(name, activity, rank):
        yield


def note_ready(name: str, rank: int, start_time: float | None = None) -> None:
    """Records in the timeline that a rank has reached an operation; `name` starts with the operation's.

    start_time: time of arrival in milliseconds of its clock, by default now.
    """
    timeline = _open[0] if _open else None
    if timeline is not None:
        age = 0.0 if start_time is None else max(0.0, time() - start_time / 1e3)
        timeline.record_arrival(name.partition(" ")[0], rank, age)
