"""Built-in functions: `len`, `range`, `int`, `float`, `abs`, `print`, `enumerate` and `zip` of tensors and datasets."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.lists.tensor_array import TensorArray

_NOT_GIVEN: Any = object()


def abs_(x: Any) -> Any:
    """Implements `abs(x)`."""
    return ops.abs(x) if is_tensor(x) else builtins.abs(x)


def float_(x: Any = 0) -> Any:
    """Implements `float(x)`; converts tensors to float32, parsing strings."""
    if not is_tensor(x):
        return builtins.float(x)
    if x.dtype == dtypes.string:
        return raw.StringToNumber(x, out_type=dtypes.float32)
    return ops.cast(x, dtypes.float32)


def int_(x: Any = 0, base: Any = _NOT_GIVEN) -> Any:
    """Implements `int(x)`; converts tensors to int32, parsing strings."""
    if not is_tensor(x):
        return builtins.int(x) if base is _NOT_GIVEN else builtins.int(x, base)
    if base is not _NOT_GIVEN and base != 10:
        raise NotImplementedError(f"base {base} not supported for int")
    if x.dtype == dtypes.string:
        return raw.StringToNumber(x, out_type=dtypes.int32)
    return ops.cast(x, dtypes.int32)


def len_(s: Any) -> Any:
    """Implements `len(s)`; for a tensor, returns the length of its first axis, an int if statically known.

    Raises:
      ValueError: for a scalar tensor.
    """
    if isinstance(s, TensorArray):
        return s.size()
    if not is_tensor(s):
        return builtins.len(s)
    if s.dtype == dtypes.variant and not s.shape.ndims:
        return raw.TensorListLength(s)
    if s.shape.ndims and s.shape.as_list()[0] is not None:
        return s.shape.as_list()[0]
    shape = ops.shape(s)
    rank = shape.shape.as_list()[0]
    if rank == 0:
        raise ValueError(f"len requires a non-scalar tensor, got one of shape {shape}")
    if rank is not None:
        return ops.shape(s)[0]
    length = ops.rank(s)

    def fail() -> Tensor:
        text = raw.StringJoin(["len requires non-zero rank, got ", raw.AsString(length)])
        with control_dependencies([ops.Assert(False, [text])]):
            return ops.constant(0, dtypes.int32)

    return ops.cond(length > 0, lambda: ops.shape(s)[0], fail)


def range_(start: Any, stop: Any = _NOT_GIVEN, step: Any = _NOT_GIVEN) -> Any:
    """Implements `range(...)`; for a tensor, returns a `tf.range`, empty if the limit is already passed."""
    values = [x for x in (start, stop, step) if x is not _NOT_GIVEN]
    if not any(is_tensor(x) for x in values):
        return builtins.range(*values)
    if step is not _NOT_GIVEN:
        return ops.range(start, stop, step)
    if stop is not _NOT_GIVEN:
        return ops.range(start, ops.maximum(start, stop))
    return ops.range(ops.maximum(start, 0))


def enumerate_(s: Any, start: Any = 0) -> Any:
    """Implements `enumerate(s, start)`."""
    return s.enumerate(start) if isinstance(s, DatasetV2) else builtins.enumerate(s, start)


def zip_(*iterables: Any) -> Any:
    """Implements `zip(...)`; returns a dataset if all arguments are datasets."""
    if all(isinstance(x, DatasetV2) for x in iterables):
        return DatasetV2.zip(iterables)
    return builtins.zip(*iterables)


OVERLOADS: dict[Any, Callable] = {
    abs: abs_,
    float: float_,
    int: int_,
    len: len_,
    range: range_,
    enumerate: enumerate_,
    zip: zip_,
}
