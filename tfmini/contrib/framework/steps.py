"""The older names of the functions on the global step."""

from __future__ import annotations

from typing import Any

from tfmini.graph.graph import Graph
from tfmini.names.deprecation import deprecated
from tfmini.train import steps


@deprecated(None, "Please switch to tf.train.assert_global_step")
def assert_global_step(global_step_tensor: Any) -> None:
    """Raises TypeError unless it is an integer scalar variable or tensor."""
    steps.assert_global_step(global_step_tensor)


def assert_or_get_global_step(graph: Graph | None = None, global_step_tensor: Any = None) -> Any:
    """`global_step_tensor`, checked, if it is given; else the global step of `graph`, or None."""
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


@deprecated(None, "Please switch to tf.train.get_global_step")
def get_global_step(graph: Graph | None = None) -> Any:
    """The global step of `graph` (default: the default graph), or None if it has none."""
    return steps.get_global_step(graph)


@deprecated(None, "Please switch to tf.train.create_global_step")
def create_global_step(graph: Graph | None = None) -> Any:
    """Makes the global step of `graph` (default: the default graph); raises ValueError if it has one."""
    return steps.create_global_step(graph)


@deprecated(None, "Please switch to tf.train.get_or_create_global_step")
def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """The global step of `graph` (default: the default graph), made if there is none."""
    return steps.get_or_create_global_step(graph)
