"""`tensorflow.python.framework.constant_op`: `constant` with the signature from `tf.compat.v2`."""

from __future__ import annotations

from typing import Any

from tfmini._src.ops.array.constant import filling_constant

__all__ = ["constant", "is_constant"]


constant = filling_constant


def is_constant(tensor_or_op: Any) -> bool:
    """Whether a node, or the node of a tensor, is a constant."""
    return getattr(tensor_or_op, "op", tensor_or_op).type == "Const"
