"""Timelines of collective operations, for chrome://tracing: HOROVOD_TIMELINE names the file that rank 0 writes.

Each operation has a row, in the form of Horovod 0.21's (its documentation, "Analyze performance"): NEGOTIATE_ALLREDUCE
while ranks are missing, with a tick for each that has come, then ALLREDUCE while arrays travel and are added up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from tfmini._src.base.locks import make_lock


class Timeline:
    """A file of events; whatever is in it after a crash can be read.

    Args:
      path: of the file.
      size: the number of ranks that take part in an operation.
    """

    def __init__(self, path: str, size: int):
        self._size = size
        self._lock = make_lock()
        self._begin = monotonic()
        self._rows: dict[str, int] = {}
        self._missing: dict[str, tuple[str, set[int]]] = {}
        self._file = open(path, "w", encoding="utf-8")
        self._file.write("[\n")

    def _write(self, name: str, event: dict[str, Any]) -> None:
        """Adds an event to an operation's row; the lock is held."""
        row = self._rows.get(name)
        if row is None:
            row = self._rows[name] = len(self._rows)
            self._line({"name": "process_name", "ph": "M", "pid": row, "args": {"name": name}})
            self._line(
                {"name": "process_sort_index", "ph": "M", "pid": row, "args": {"sort_index": row}}
            )
        self._line({**event, "ts": int((monotonic() - self._begin) * 1e6), "pid": row})

    def _line(self, event: dict[str, Any]) -> None:
        if not self._file.closed:
            self._file.write(json.dumps(event) + ",\n")
            self._file.flush()

    @contextmanager
    def operation(self, name: str, kind: str, rank: int) -> Iterator[None]:
        """A block that does an operation, of a kind as "ALLREDUCE", on this rank."""
        with self._lock:
            self._missing[name] = kind, set(range(self._size))
            self._write(name, {"ph": "B", "name": f"NEGOTIATE_{kind}"})
        self.ready(name, rank)
        try:
            yield
        finally:
            with self._lock:
                self._missing.pop(name, None)
                self._write(name, {"ph": "E"})

    def ready(self, name: str, rank: int) -> None:
        """Notes that a rank has come to an operation; after the last of them its arrays travel."""
        with self._lock:
            kind, missing = self._missing.get(name, ("", set()))
            if rank not in missing:
                return
            missing.discard(rank)
            self._write(name, {"ph": "X", "name": str(rank), "dur": 0})
            if not missing:
                self._write(name, {"ph": "E"})
                self._write(name, {"ph": "B", "name": kind})

    def close(self) -> None:
        """Ends the file."""
        with self._lock:
            self._file.write("{}]\n")
            self._file.close()


# The one that is written.
_open: list[Timeline] = []


def open_timeline(path: str, size: int) -> None:
    """Begins a timeline, in place of one that is written."""
    close_timeline()
    _open.append(Timeline(path, size))


def close_timeline() -> None:
    """Ends the timeline, if one is written."""
    if _open:
        _open.pop().close()


@contextmanager
def timed(name: str, kind: str, rank: int) -> Iterator[None]:
    """A block that does an operation; the timeline has it, if one is written."""
    if not _open:
        yield
        return
    with _open[0].operation(name, kind, rank):
        yield


def note_ready(name: str, rank: int) -> None:
    """Notes in the timeline that a message of a rank for an operation is here; `name` begins with the operation's."""
    if _open:
        _open[0].ready(name.partition(" ")[0], rank)
