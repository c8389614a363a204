"""Model size: elements and bytes of variables, elements of operation outputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.graph.graph import Graph


def tensor_description(var: Any) -> str:
    """Returns the type and shape of a tensor: "(float32 1x8x8x1024)"."""
    return f"({var.dtype.name} {'x'.join(str(size) for size in var.shape)})"


def analyze_ops(graph: Graph, print_info: bool = False) -> int:
    """Returns the total number of elements in a graph's op outputs, where shapes are known.

    Args:
      graph: the graph.
      print_info: whether to print each operation.
    """
    if print_info:
        print("---------")
        print("Operations: name -> (type shapes) [size]")
        print("---------")
    total = 0
    for op in graph.get_operations():
        size = sum(output.shape.num_elements() or 0 for output in op.outputs)
        if print_info:
            shapes = [tensor_description(output) for output in op.outputs if output.shape]
            print(op.name, "\t->", ", ".join(shapes), f"[{size}]")
        total += size
    return total


def analyze_vars(variables: Iterable[Any], print_info: bool = False) -> tuple[int, int]:
    """Returns the total number of elements and bytes of variables.

    Args:
      variables: list of variables.
      print_info: whether to print each variable.

    Example: `slim.model_analyzer.analyze_vars(slim.get_model_variables(), print_info=True)`.
    """
    if print_info:
        print("---------")
        print("Variables: name (type shape) [size]")
        print("---------")
    elements = size = 0
    for variable in variables:
        count = variable.shape.num_elements() or 0
        elements += count
        size += count * variable.dtype.size
        if print_info:
            description = tensor_description(variable)
            print(variable.name, description, f"[{count}, bytes: {count * variable.dtype.size}]")
    if print_info:
        print(f"Total size of variables: {elements}")
        print(f"Total bytes of variables: {size}")
    return elements, size
