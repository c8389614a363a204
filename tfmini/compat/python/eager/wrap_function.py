"""`tensorflow.python.eager.wrap_function`: TensorFlow 1.x code as functions."""

from tfmini._src.functions.variable_holder import VariableHolder
from tfmini._src.functions.wrap_function import (
    WrappedFunction,
    WrappedGraph,
    function_from_graph_def,
    wrap_function,
)

__all__ = [
    "VariableHolder",
    "WrappedFunction",
    "WrappedGraph",
    "function_from_graph_def",
    "wrap_function",
]
