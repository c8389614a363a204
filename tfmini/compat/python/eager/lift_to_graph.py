"""`tensorflow.python.eager.lift_to_graph`: the error for parts of functions that need more than their arguments."""

from tfmini._src.functions.wrap_function import UnliftableError

__all__ = ["UnliftableError"]
