"""`tensorflow.python.eager.cancellation`: what runs in eager mode can be asked to stop."""

from tfmini._src.session.eager.cancellation_manager import CancellationManager

__all__ = ["CancellationManager"]
