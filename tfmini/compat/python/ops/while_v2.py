"""`tensorflow.python.ops.while_v2`: loops as nodes that call functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.functions.while_v2 import build_while

__all__ = ["while_loop"]


def while_loop(
    cond: Callable,
    body: Callable,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    maximum_iterations: Any = None,
    name: str | None = None,
    return_same_structure: bool = True,
    back_prop: bool = True,
) -> Any:
    """Same as `tf.while_loop`, as a While node in any graph."""
    settings = parallel_iterations, maximum_iterations, name, return_same_structure
    return build_while(TracedGraph, cond, body, loop_vars, shape_invariants, *settings)
