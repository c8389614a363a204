"""`FeedFnHook`, which feeds the values returned by a function to each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
)


class FeedFnHook(SessionRunHook):
    """Feeds the values returned by a function to each step.

    Args:
      feed_fn: a function without arguments that returns a feed_dict.
    """

    def __init__(self, feed_fn: Callable[[], dict[Any, Any]]):
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Calls the function to obtain the feeds."""
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())
