"""Capture: how devices of a kind take over the parts of a plan that repeat, to replay them as one piece of work."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any


class Capture(abc.ABC):
    """The captured segments of one plan, from `Device.capture`."""

    @abc.abstractmethod
    def emit(self, resources: Any) -> Any:
        """The source of the plan, in which segments that may be captured are functions of their own."""

    @abc.abstractmethod
    def segments(
        self,
        names: dict[str, Any],
        mark_uncapturable: Callable[[], Callable[[Exception], None] | None],
    ) -> Mapping[str, Callable[..., Any]]:
        """The callables by which the text calls these functions, which are taken out of `names`.

        mark_uncapturable: returns the function to call with an error of recording, or None if the plan is gone.
        """

    @abc.abstractmethod
    def leave_out(self, node: Any) -> None:
        """Nodes like this one are not captured in the next text, as one of them could not be."""

    @abc.abstractmethod
    def running(self, plan: str) -> AbstractContextManager[None]:
        """A block around each run of the plan, on the devices that it uses. plan: its name."""
