"""`tensorflow.python.eager.lift_to_graph`: the error for values that cannot be computed outside of a function."""

from tfmini._src.variables.lifted_values import UnliftableError

__all__ = ["UnliftableError"]
