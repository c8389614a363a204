"""`CancellationManager`: cancels eager functions from another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from tfmini._src.base.errors import CancelledError
from tfmini._src.executor.state.cancellation import cancel

Result = TypeVar("Result")


class CancellationManager:
    """Cancels blocking calls of the functions it wraps.

    Attributes:
      is_cancelled: whether `start_cancel` was called.

    Example:
      manager = CancellationManager()
      dequeue = manager.get_cancelable_function(tf.function(queue.dequeue).get_concrete_function())
      manager.start_cancel()  # `dequeue()` raises CancelledError, in another thread too
    """

    def __init__(self) -> None:
        self.is_cancelled = False
        self._threads: list[int] = []  # threads inside a call

    def get_cancelable_function(
        self, concrete_function: Callable[..., Result]
    ) -> Callable[..., Result]:
        """Wraps a function to raise `tf.errors.CancelledError` if it is called, or blocks, after `start_cancel`."""

        def cancelable(*args: object, **kwargs: object) -> Result:
            thread = threading.get_ident()
            self._threads.append(thread)
            try:
                if self.is_cancelled:
                    raise CancelledError(None, None, "Function was cancelled before it was started")
                return concrete_function(*args, **kwargs)
            finally:
                self._threads.remove(thread)

        return cancelable

    def start_cancel(self) -> None:
        """Cancels current and future calls of the wrapped functions."""
        self.is_cancelled = True
        for thread in list(self._threads):
            cancel(thread)
