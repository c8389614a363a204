"""Older names of the global step functions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import Tensor
from tfmini._src.train import global_step
from tfmini._src.variables.variable import Variable


@deprecated(None, "Please switch to tf.train.assert_global_step")
def assert_global_step(global_step_tensor: Tensor | Variable) -> None:
    """Raises TypeError unless the global step is an integer scalar variable or tensor."""
    global_step.assert_global_step(global_step_tensor)


def assert_or_get_global_step(
    graph: Graph | None = None, global_step_tensor: Tensor | Variable | None = None
) -> Any:
    """Returns the validated `global_step_tensor`; if None, the global step of `graph`, or None."""
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


@deprecated(None, "Please switch to tf.train.get_global_step")
def get_global_step(graph: Graph | None = None) -> Any:
    """Returns the global step of `graph` (default: the default graph), or None."""
    return global_step.get_global_step(graph)


@deprecated(None, "Please switch to tf.train.create_global_step")
def create_global_step(graph: Graph | None = None) -> Any:
    """Creates the global step of `graph` (default: the default graph); raises ValueError if it exists."""
    return global_step.create_global_step(graph)


@deprecated(None, "Please switch to tf.train.get_or_create_global_step")
def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """Returns the global step of `graph` (default: the default graph), created if missing."""
    return global_step.get_or_create_global_step(graph)
