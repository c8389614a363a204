"""`tensorflow.python.eager.wrap_function`: functions of TensorFlow 1.x programs."""

from tfmini._src.functions.wrap_function import (
    WrappedFunction,
    function_from_graph_def,
    wrap_function,
)

__all__ = ["WrappedFunction", "function_from_graph_def", "wrap_function"]
