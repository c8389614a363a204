"""`tensorflow.python.eager.executor`: executors of eager ops."""

from tfmini._src.session.eager.executor import Executor, new_executor

__all__ = ["Executor", "new_executor"]
