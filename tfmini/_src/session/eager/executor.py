"""The executor of the ops of eager mode: in order, each at once, asynchronous or not."""


class Executor:
    """Runs ops one after another."""

    def __init__(self, enable_async: bool = False) -> None:
        self._is_async = enable_async

    def is_async(self) -> bool:
        """Whether it was asked to be asynchronous."""
        return self._is_async

    def handle(self) -> None:
        """None: it needs none."""

    def wait(self) -> None:
        """Waits for ops that run; none does when another is called."""

    def clear_error(self) -> None:
        """Forgets the error of an op that ran; it was raised already."""


def new_executor(enable_async: bool) -> Executor:
    """An executor for `context.executor_scope`."""
    return Executor(enable_async)
