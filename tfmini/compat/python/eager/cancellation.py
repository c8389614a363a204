"""`tensorflow.python.eager.cancellation`: cancellation of functions that run in eager mode."""

from tfmini._src.session.eager.cancellation_manager import CancellationManager

__all__ = ["CancellationManager"]
