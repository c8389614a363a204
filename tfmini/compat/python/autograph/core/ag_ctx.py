"""`tensorflow.python.autograph.core.ag_ctx`: whether the Python functions that are called are converted."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from tfmini._src.graph.autograph_status import Status, conversion, conversion_status

__all__ = ["ControlStatusCtx", "Status", "control_status_ctx"]


class ControlStatusCtx:
    """Context manager that sets a conversion status.

    Attributes:
      status: the Status.
      options: the conversion options; ignored.
    """

    def __init__(self, status: Status, options: Any = None) -> None:
        self.status = status
        self.options = options
        self._opened = ExitStack()

    def __enter__(self) -> ControlStatusCtx:
        self._opened.enter_context(conversion(self.status))
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}[status={self.status}, options={self.options}]"


def control_status_ctx() -> ControlStatusCtx:
    """Returns the current conversion status of this thread, as a ControlStatusCtx."""
    return ControlStatusCtx(conversion_status())
