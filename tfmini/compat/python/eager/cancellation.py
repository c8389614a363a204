"""`tensorflow.python.eager.cancellation`: whether what runs in eager mode was asked to stop."""

__all__ = ["CancellationManager"]


class CancellationManager:
    """Remembers that it was cancelled.

    Attributes:
      is_cancelled: whether `start_cancel` was called.
    """

    def __init__(self) -> None:
        self.is_cancelled = False

    def start_cancel(self) -> None:
        """Cancels it."""
        self.is_cancelled = True
