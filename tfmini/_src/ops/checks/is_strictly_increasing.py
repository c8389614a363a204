"""Tests whether the elements of a tensor are in order."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.checks.assert_type import is_numeric_tensor
from tfmini._src.ops.control_flow.cond import cond


def _differences(x: Any) -> Tensor:
    """Returns x[1:] - x[:-1] for the flattened `x`; empty for fewer than two elements."""
    x = ops.reshape(x, [-1])
    if not is_numeric_tensor(x):
        raise TypeError(f"Expected x to be numeric, instead found: {x}")
    is_short = ops.less(ops.size(x), 2)
    length = ops.shape(x) - 1

    def difference() -> Tensor:
        return ops.strided_slice(x, [1], [1] + length) - ops.strided_slice(x, [0], length)

    return cond(is_short, lambda: convert_to_tensor([], dtype=x.dtype), difference)


@public
def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether no element of `x`, in row-major order, is less than the preceding one.

    Args:
      x: numeric tensor.

    Returns:
      bool scalar tensor; true for fewer than two elements.

    Raises:
      TypeError: if `x` is not numeric.
    """
    with name_scope(name, "is_non_decreasing", [x]):
        steps = _differences(x)
        zero = convert_to_tensor(0, dtype=steps.dtype)
        return ops.reduce_all(ops.less_equal(zero, steps))


@public
def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether every element of `x`, in row-major order, is greater than the preceding one.

    Same arguments as `tf.is_non_decreasing`.
    """
    with name_scope(name, "is_strictly_increasing", [x]):
        steps = _differences(x)
        zero = convert_to_tensor(0, dtype=steps.dtype)
        return ops.reduce_all(ops.less(zero, steps))
