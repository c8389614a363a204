"""Placeholders of a graph, the common graph of several inputs, and sums over several tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.graph.default_graph import get_default_graph, graph_of_inputs
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def get_placeholders(graph: Graph) -> list[Tensor]:
    """Returns the placeholders of a graph, in node order.

    Raises:
      TypeError: if `graph` is not a graph.

    Example: after `x = tf.placeholder(tf.float32, name="x")`, `get_placeholders(x.graph)` is `[x]`.
    """
    if not isinstance(graph, Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def get_graph_from_inputs(op_input_list: Sequence[Any], graph: Graph | None = None) -> Graph:
    """Returns the graph of tensors and operations: `graph` if given, else their common graph, else the default graph.

    Raises:
      TypeError: if `graph` is not a graph.
      ValueError: if they belong to different graphs.
    """
    return graph_of_inputs(op_input_list, graph)


def get_name_scope() -> str:
    """Returns the name scope of the default graph, "outer/inner"; "" at the top level."""
    return get_default_graph().get_name_scope()


def reduce_sum_n(tensors: Sequence[Tensor], name: str | None = None) -> Tensor:
    """Returns the sum of the elements of all tensors, a scalar of their dtype.

    Raises:
      ValueError: if the list is empty.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    with name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [ops.reduce_sum(tensor, name=f"{tensor.op.name}/sum") for tensor in tensors]
        return sums[0] if len(sums) == 1 else ops.add_n(sums, name=scope)
