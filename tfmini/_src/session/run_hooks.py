"""Process-wide step hooks: watchers are called after every step, with the times of its nodes.

The first watcher patches `BaseSession.run` and removing the last one restores it: without watchers, steps have no
overhead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tfmini._src.base import proto
from tfmini._src.executor.tracing.recorder import Span, clock
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.session.base_session import BaseSession


@dataclass(frozen=True)
class WatchedStep:
    """A completed step: its fetches, start and end in nanoseconds of `clock`, and node spans."""

    fetches: object
    start_time: int
    end_time: int
    spans: list[Span]


Watcher = Callable[[WatchedStep], None]
_watchers: list[Watcher] = []
_run = BaseSession.run


@functools.wraps(_run)
def _run_with_watches(
    self: BaseSession,
    fetches: object,
    feed_dict: FeedDict | None = None,
    options: proto.RunOptions | None = None,
    run_metadata: proto.RunMetadata | None = None,
) -> Any:
    spans: list[Span] = []
    start_time = clock()
    result = self._run_with_metadata(fetches, feed_dict, options, run_metadata, spans)
    step = WatchedStep(fetches, start_time, clock(), spans)
    for watcher in list(_watchers):
        watcher(step)
    return result


def watch(watcher: Watcher) -> None:
    """Registers `watcher(step)` to be called after each step, in the thread that ran it."""
    _watchers.append(watcher)
    BaseSession.run = _run_with_watches  # type: ignore[method-assign]


def end(watcher: Watcher) -> None:
    """Unregisters a watcher."""
    if watcher in _watchers:
        _watchers.remove(watcher)
    if not _watchers:
        BaseSession.run = _run  # type: ignore[method-assign,assignment]
