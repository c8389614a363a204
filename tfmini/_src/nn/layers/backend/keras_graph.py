"""The graph of a program's symbolic Keras tensors in eager mode; no session runs it."""

from __future__ import annotations

from typing import Any

from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager import execution_mode
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import Tensor
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
from tfmini._src.variables.variable import Variable

_keras_graphs: list[TracedGraph] = []


def get_graph() -> Any:
    """Returns the default graph, or in eager mode the graph in which Keras builds functional models."""
    if not executing_eagerly():
        return get_default_graph()
    if not _keras_graphs:
        _keras_graphs.append(TracedGraph("keras_graph"))
    return _keras_graphs[0]


def forget_keras_graph() -> None:
    """Discards Keras's graph in eager mode, so that the next symbolic tensor starts a new one."""
    _keras_graphs.clear()


def in_keras_graph() -> bool:
    """Whether the current graph is Keras's symbolic graph, or a branch or loop body in it."""
    if not _keras_graphs or executing_eagerly():
        return False
    graph: Any = get_default_graph()
    while graph._is_part:
        graph = graph.outer_graph
    return graph is _keras_graphs[0]


def runs_as_written() -> bool:
    """Whether side effects run in program order, as in eager mode and in functions called there, unless wrapped."""
    if execution_mode.execute is None:
        return False
    if executing_eagerly():
        return True
    orders = get_default_graph()._orders_effects
    return orders and executing_eagerly_outside_functions() and not in_keras_graph()


def is_symbolic(x: Any) -> bool:
    """Whether `x` is a tensor without a value, or a variable that is a layer's output in a functional model."""
    if isinstance(x, Variable):
        return hasattr(x, "_keras_history")
    if isinstance(x, SparseTensor):
        return is_symbolic(x.indices)
    if hasattr(x, "flat_values"):
        return is_symbolic(x.flat_values)
    return isinstance(x, Tensor) and not isinstance(x, EagerTensor)
