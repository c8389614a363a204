"""Span recorder: start, end, thread and results of each node in a plan."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.launch_hooks import watch_launches

clock = time.perf_counter_ns


@dataclass(frozen=True)
class Result:
    """Metadata of an array: its shape, its size in bytes, and whether its memory is newly allocated."""

    shape: tuple[int, ...]
    bytes: int
    is_new: bool


@dataclass(frozen=True)
class Span:
    """One run of a node, in nanoseconds of `clock`; results that are not arrays are None.

    on_device: nanoseconds on the device, by its own clock. launches: kernel launches, including those by libraries.
    """

    node: Node
    start_time: int
    end_time: int
    thread: int
    results: tuple[Result | None, ...]
    on_device: int = 0
    launches: int = 0


class Recorder:
    """Records the spans of one plan in per-thread lists."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._threads = threading.local()

    def register(self, node: Node) -> int:
        """Registers a node; returns its index for `note`."""
        self._nodes.append(node)
        return len(self._nodes) - 1

    def note(self, index: int, start_time: int, *values: Any) -> None:
        """Records a node that has just ended with these values; called by the plan."""
        end_time = clock()
        results = tuple([_describe_result(value) for value in values])
        span = Span(self._nodes[index], start_time, end_time, threading.get_ident(), results)
        self._threads.spans.append(span)

    def note_on_device(self, index: int, start_time: int, on_device: int, *values: Any) -> None:
        """Like `note`, for a node on a device that took `on_device` nanoseconds."""
        end_time = clock()
        results = tuple([_describe_result(value) for value in values])
        thread_id, launches = threading.get_ident(), self._threads.launches
        span = Span(
            self._nodes[index], start_time, end_time, thread_id, results, on_device, launches
        )
        self._threads.spans.append(span)
        self._threads.launches = 0

    def _count_launch(self, library: str, name: str) -> None:
        self._threads.launches += 1

    def spans(self) -> list[Span]:
        """Returns this thread's list of spans."""
        spans: list[Span] = self._threads.spans
        return spans

    @contextlib.contextmanager
    def collect_into(self, spans: list[Span]) -> Iterator[None]:
        """Context manager that appends this thread's spans to a list."""
        self._threads.spans, self._threads.launches = spans, 0
        try:
            with watch_launches(self._count_launch):
                yield
        finally:
            del self._threads.spans


def _describe_result(value: Any) -> Result | None:
    try:
        shape, size = value.shape, value.nbytes
    except AttributeError:
        return Result((), len(value), True) if value.__class__ is bytes else None
    return Result(shape, size, getattr(value, "base", None) is None)
