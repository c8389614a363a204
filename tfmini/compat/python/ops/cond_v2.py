"""`tensorflow.python.ops.cond_v2`: conditionals as nodes that call functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.functions.cond_v2 import build_cond
from tfmini._src.functions.traced_function import TracedGraph

__all__ = ["cond_v2"]


def cond_v2(pred: Any, true_fn: Callable, false_fn: Callable, name: str = "cond") -> Any:
    """Same as `tf.cond`, as an If or StatelessIf node in any graph."""
    return build_cond(pred, true_fn, false_fn, name, TracedGraph)
