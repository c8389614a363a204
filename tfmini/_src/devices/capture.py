"""`Capture`: the interface for recording repeated segments of a plan on a device and replaying them as one unit."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any


class Capture(abc.ABC):
    """The captured segments of one plan, from `Device.capture`."""

    @abc.abstractmethod
    def emit(self, resources: Any) -> Any:
        """Emits the source of the plan, with its capturable segments as separate functions."""

    @abc.abstractmethod
    def segments(
        self,
        names: dict[str, Any],
        mark_uncapturable: Callable[[], Callable[[Exception], None] | None],
    ) -> Mapping[str, Callable[..., Any]]:
        """Removes the segment functions from `names`; returns the callables that replace them in the source.

        mark_uncapturable: returns the handler for recording errors, or None if the plan no longer exists.
        """

    @abc.abstractmethod
    def leave_out(self, node: Any) -> None:
        """Excludes nodes of this node's kind from later captures, after a failed recording."""

    @abc.abstractmethod
    def running(self, plan: str) -> AbstractContextManager[None]:
        """Context manager around each run of a plan on its devices; `plan` is the plan's name."""
