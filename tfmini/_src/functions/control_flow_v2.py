"""The option to build conditionals and loops in graphs as function calls, as is always the case in functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.functions.cond_v2 import build_cond
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.functions.while_v2 import build_while
from tfmini._src.graph.graph import Graph


def control_flow_v2_enabled() -> bool:
    """Whether control flow in graphs uses If and While nodes; functions always do."""
    return Graph._build_cond is not None


def enable_control_flow_v2() -> None:
    """Builds conditionals and loops as If and While nodes, which call functions."""
    Graph._build_cond = _build_cond
    Graph._build_while = _build_while


def disable_control_flow_v2() -> None:
    """Builds conditionals and loops as Switch, Merge, Enter and Exit nodes (the default)."""
    Graph._build_cond = Graph._build_while = None


@contextmanager
def with_control_flow_v2(enabled: bool = True) -> Iterator[None]:
    """Context manager that sets the option and restores it on exit."""
    was_enabled = control_flow_v2_enabled()
    set_control_flow_v2(enabled)
    try:
        yield
    finally:
        set_control_flow_v2(was_enabled)


def set_control_flow_v2(enabled: bool) -> None:
    """Sets the option."""
    turn: Callable[[], None] = enable_control_flow_v2 if enabled else disable_control_flow_v2
    turn()


def _build_cond(self: Graph, pred: Any, true_fn: Callable, false_fn: Callable, name: Any) -> Any:
    return build_cond(pred, true_fn, false_fn, name, TracedGraph)


def _build_while(self: Graph, *args: Any) -> Any:
    return build_while(TracedGraph, *args)
