"""The graph, the name and the key of a variable, whether it is a node or was made in eager mode."""

from __future__ import annotations

from typing import Any


def is_eager(var: Any) -> bool:
    """Whether a variable was made in eager mode: it has no node."""
    return not getattr(var, "_in_graph_mode", True)


def graph_of(var: Any) -> Any:
    """The graph of a variable or tensor; None for a variable that was made in eager mode."""
    return None if is_eager(var) else var.graph


def name_of(var: Any) -> str:
    """The name of the node of a variable or tensor, or of a variable that was made in eager mode."""
    name: str = var._shared_name if is_eager(var) else var.op.name
    return name


def key_of(var: Any) -> tuple:
    """A key that no other variable has or gets, even when this one is gone."""
    return (None, var._unique_id) if is_eager(var) else (var.op.graph, var.op.name)
