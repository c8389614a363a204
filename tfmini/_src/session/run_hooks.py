"""Hooks on all steps of a program: each watcher is told of each step, with the times of its nodes.

While nobody watches, `BaseSession.run` is what it always is; the first watcher puts another function in its place.
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
    """One step that has ended: what was fetched, in nanoseconds of `clock` when it began and ended, its nodes."""

    fetches: object
    began: int
    ended: int
    spans: list[Span]


Watcher = Callable[[WatchedStep], None]
_watchers: list[Watcher] = []
_run = BaseSession.run


@functools.wraps(_run)
def _watched_run(
    self: BaseSession,
    fetches: object,
    feed_dict: FeedDict | None = None,
    options: proto.RunOptions | None = None,
    run_metadata: proto.RunMetadata | None = None,
) -> Any:
    spans: list[Span] = []
    began = clock()
    result = self._observed_run(fetches, feed_dict, options, run_metadata, spans)
    step = WatchedStep(fetches, began, clock(), spans)
    for watcher in list(_watchers):
        watcher(step)
    return result


def watch(watcher: Watcher) -> None:
    """Calls `watcher(step)` after each step from now on, in the thread that has run it."""
    _watchers.append(watcher)
    BaseSession.run = _watched_run  # type: ignore[method-assign]


def end(watcher: Watcher) -> None:
    """Stops calling the watcher."""
    if watcher in _watchers:
        _watchers.remove(watcher)
    if not _watchers:
        BaseSession.run = _run  # type: ignore[method-assign,assignment]
