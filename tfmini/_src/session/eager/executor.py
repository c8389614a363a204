"""Eager executor: runs ops immediately and in order, even if created as asynchronous."""


class Executor:
    """Runs ops sequentially."""

    def __init__(self, enable_async: bool = False) -> None:
        self._is_async = enable_async

    def is_async(self) -> bool:
        """Whether the executor was created as asynchronous."""
        return self._is_async

    def handle(self) -> None:
        """Returns None, as there is no native handle."""

    def wait(self) -> None:
        """Does nothing; ops complete before they return."""

    def clear_error(self) -> None:
        """Does nothing; errors are raised immediately."""


def new_executor(enable_async: bool) -> Executor:
    """Creates an executor for `context.executor_scope`."""
    return Executor(enable_async)
