"""`tensorflow.python.eager.executor`: what runs the ops of eager mode."""

from tfmini._src.session.eager.executor import Executor, new_executor

__all__ = ["Executor", "new_executor"]
