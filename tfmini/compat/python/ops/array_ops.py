"""`tensorflow.python.ops.array_ops`: `zeros_like` and `ones_like` as `tf.compat.v2` has them."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.array.fill_zeros_ones import ones_like, zeros_like

__all__ = ["ones_like_v2", "zeros_like_v2"]


def zeros_like_v2(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """`tf.zeros_like`, whose tensor is called `input`."""
    return zeros_like(input, dtype, name)


def ones_like_v2(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """`tf.ones_like`, whose tensor is called `input`."""
    return ones_like(input, dtype, name)
