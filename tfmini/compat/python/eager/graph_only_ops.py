"""`tensorflow.python.eager.graph_only_ops`: placeholders and zeros in graphs."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

__all__ = ["graph_placeholder", "graph_zeros_like"]


def graph_zeros_like(tensor: Any) -> Tensor:
    """Returns zeros with the shape and dtype of a tensor."""
    return ops.zeros_like(tensor, optimize=False)


def graph_placeholder(dtype: Any, shape: Any, name: str | None = None) -> Tensor:
    """Returns a placeholder."""
    return ops.placeholder(dtype, shape, name)
