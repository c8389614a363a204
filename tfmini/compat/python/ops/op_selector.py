"""`tensorflow.python.ops.op_selector`: selects operations by their inputs and outputs."""

from tfmini._src.graph.op_selection import (
    check_graphs,
    get_backward_walk_ops,
    get_consuming_ops,
    get_generating_ops,
    get_tensors,
    get_unique_graph,
    is_differentiable,
    is_iterable,
    make_list_of_op,
    make_list_of_t,
)
from tfmini._src.variables.lifted_values import UnliftableError

__all__ = [
    "UnliftableError",
    "check_graphs",
    "get_backward_walk_ops",
    "get_consuming_ops",
    "get_generating_ops",
    "get_tensors",
    "get_unique_graph",
    "is_differentiable",
    "is_iterable",
    "make_list_of_op",
    "make_list_of_t",
]
