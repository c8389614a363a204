"""Ops and functions that assign values to variables by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops import ops


def assign_from_values(var_names_to_values: Mapping[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """Returns an operation that assigns values to variables through feeds, which keeps them out of the graph.

    Args:
      var_names_to_values: a dict from global variable name to NumPy array.

    Returns:
      The operation, and the feed_dict to run it with.

    Raises:
      ValueError: for an unknown variable.
    """
    feed_dict = {}
    assign_ops = []
    for name, value in var_names_to_values.items():
        variable = _find_variable(name)
        shape = variable.get_shape()
        value_placeholder = ops.placeholder(
            dtype=variable.dtype.base_dtype, shape=shape, name="placeholder/" + variable.op.name
        )
        assign_ops.append(variable.assign(value_placeholder))
        feed_dict[value_placeholder] = value.reshape(shape)
    return ops.group(*assign_ops), feed_dict


def _find_variable(name: str) -> Any:
    variables = get_collection(GraphKeys.GLOBAL_VARIABLES, name)
    if not variables:
        raise ValueError(f"Variable {name} wasn't found")
    if len(variables) == 1:
        return variables[0]
    for variable in variables:
        if variable.op.name == name:
            return variable
    raise ValueError(f"Variable {name} doesn't uniquely identify a variable")


def assign_from_values_fn(var_names_to_values: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Returns a function of a session that assigns values to variables; see `assign_from_values`."""
    assign, feed_dict = assign_from_values(var_names_to_values)
    return lambda session: session.run(assign, feed_dict)
