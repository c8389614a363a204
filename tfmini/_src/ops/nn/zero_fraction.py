"""The fraction of zeros in a tensor."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor:
    """Computes the fraction of zero elements; NaN for an empty tensor.

    Args:
      value: a numeric tensor.

    Returns:
      A float32 scalar.
    """
    with name_scope(name, "zero_fraction", [value]):
        value = ops.convert_to_tensor(value, name="value")
        size = ops.size(value, out_type=dtypes.int64)
        nonzero = ops.cond(
            size <= dtypes.int32.max,
            true_fn=lambda: ops.cast(_count_nonzero(value, dtypes.int32), dtypes.int64),
            false_fn=lambda: _count_nonzero(value, dtypes.int64),
        )
        with name_scope("counts_to_fraction"):
            zeros = ops.cast(size - nonzero, dtypes.float32)
            fraction = zeros / ops.cast(size, dtypes.float32)
        return ops.identity(fraction, "fraction")


def _count_nonzero(value: Tensor, dtype: dtypes.DType) -> Tensor:
    with name_scope("count_nonzero", values=[value]):
        zero = ops.zeros([], dtype=value.dtype)
        nonzero = ops.cast(ops.not_equal(value, zero), dtype)
        return ops.reduce_sum(nonzero, name="nonzero_count")
