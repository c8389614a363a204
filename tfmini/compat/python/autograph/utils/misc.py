"""`tensorflow.python.autograph.utils.misc`."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

__all__ = ["alias_tensors", "capitalize_initial", "get_range_len"]


def alias_tensors(*args: Any) -> Any:
    """Copies tensors; returns other values unchanged. A single argument is not returned as a tuple.

    Raises:
      ValueError: if there are no arguments.
    """
    if not args:
        raise ValueError("at least one argument required")
    copies = tuple(ops.identity(arg) if isinstance(arg, Tensor) else arg for arg in args)
    return copies if len(copies) > 1 else copies[0]


def capitalize_initial(s: str) -> str:
    """Returns the text with its first letter capitalized."""
    return s[:1].upper() + s[1:]


def get_range_len(start: Any, limit: Any, delta: Any) -> Tensor:
    """Returns the number of items of `tf.range(start, limit, delta)`."""
    distance = ops.convert_to_tensor(limit - start)
    remainder = ops.cast(ops.not_equal(distance % delta, 0), distance.dtype)
    return ops.maximum(distance // delta + remainder, 0)
