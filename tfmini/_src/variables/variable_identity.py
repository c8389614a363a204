"""The graph, name and key of a variable, created in a graph or in eager mode."""

from __future__ import annotations

from typing import Any


def is_eager(var: Any) -> bool:
    """Whether a variable was created in eager mode, and thus has no node."""
    return not getattr(var, "_in_graph_mode", True)


def variable_graph(var: Any) -> Any:
    """Returns the graph of a variable or tensor; None for a variable created in eager mode."""
    return None if is_eager(var) else var.graph


def node_name(var: Any) -> str:
    """Returns the node name of a variable or tensor, or the name of a variable created in eager mode."""
    name: str = var._shared_name if is_eager(var) else var.op.name
    return name


def variable_key(var: Any) -> tuple:
    """Returns a key unique to this variable, which is not reused even after the variable is deleted."""
    return (None, var._unique_id) if is_eager(var) else (var.op.graph, var.op.name)
