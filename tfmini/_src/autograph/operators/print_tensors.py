"""`print` of tensors: a node that prints their values at run time."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.ops import ops


def print_(*objects: Any, **kwargs: Any) -> Any:
    """Implements `print(...)`; for tensors, returns the printing node, which must be run.

    Raises:
      ValueError: for a keyword unknown to `print`.
    """
    unknown = tuple(set(kwargs) - {"sep", "end", "file", "flush"})
    if unknown:
        raise ValueError(f"invalid keyword arguments: {unknown}")
    if not any(is_tensor(x) for x in objects):
        return builtins.print(*objects, **kwargs)
    tensors = [x for x in objects if is_tensor(x)]

    def show(*values: Any) -> Any:
        remaining = iter(values)
        evaluated = [next(remaining) if is_tensor(x) else x for x in objects]
        texts = [x.decode() if isinstance(x, bytes) else x for x in evaluated]
        builtins.print(*texts, **{"flush": True, **kwargs})
        return np.int32(1)

    return ops.numpy_function(show, tensors, dtypes.int32)
