"""Counts of small non-negative integers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.gather_scatter import reduce_segments
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, InferenceError, input_value, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text, single_integer


@op(
    "Bincount",
    "arr: int32, size: int32, weights: T -> bins: T",
    host_or_cuda=True,
    static_inputs=("size",),
    T=(dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64),
)
def bincount_op(xp, arr, size, weights, *, T):
    size = _checked_size(arr, size, weights)
    if arr.size and arr.min() < 0:
        invalid("Input arr must be non-negative!")
    arr = arr.reshape(-1)
    in_range = arr < size
    weights = weights.reshape(-1)[: arr.size][in_range] if weights.size else None
    return xp.bincount(arr[in_range], weights, size).astype(T.numpy)


@bincount_op.on_gpu
def _(gpu, arr, size, weights, *, T):
    """Ignores negative numbers, because checking for them would require synchronizing with the GPU."""
    size = _checked_size(arr, size, weights)
    weights = weights.reshape(-1)[: arr.size] if weights.size else gpu.xp.ones(arr.size, T.numpy)
    return reduce_segments(gpu.xp, "add", weights, arr.reshape(-1), size, 0)


def _checked_size(arr: Any, value: Any, weights: Any) -> int:
    size = single_integer(value, "size")
    if size < 0:
        invalid(f"size ({size}) must be non-negative")
    if 0 < weights.size < arr.size:
        invalid(
            f"weights {shape_text(weights.shape)} do not reach for arr {shape_text(arr.shape)}",
        )
    return size


@bincount_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[1]._dims, 0)
    size = input_value(op, 1)
    if size is None:
        return (None,)
    if size < 0:
        raise InferenceError(f"size ({size}) must be non-negative")
    return (int(size),)


@public
def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: TensorLike | None = None,
    maxlength: TensorLike | None = None,
    dtype: DTypeLike = dtypes.int32,
) -> Tensor:
    """Counts the occurrences of 0, 1, 2, ... in `arr`.

    Args:
      arr: int32 tensor with non-negative elements.
      weights: the weight of each element of `arr`, of the same shape; 1 by default.
      minlength: the minimum length of the result.
      maxlength: the maximum length of the result; elements at or above it are ignored.
      dtype: the dtype of the counts if there are no `weights`.

    Returns:
      A vector whose length is the largest element plus one, within `minlength` and `maxlength`.

    Raises:
      InvalidArgumentError (when run): if an element is negative.

    Example: `tf.bincount([1, 2, 2])` is `[0, 1, 2]`.
    """
    return bincount_v2(arr, weights, minlength, maxlength, dtype)


def bincount_v2(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Same as `bincount`, in a name scope."""
    with name_scope("bincount" if name is None else name):
        arr = ops.convert_to_tensor(arr, name="arr", dtype=dtypes.int32)
        is_nonempty = ops.reduce_prod(ops.shape(arr)) > 0
        size = ops.cast(is_nonempty, dtypes.int32) * (ops.reduce_max(arr) + 1)
        if minlength is not None:
            min_length = ops.convert_to_tensor(minlength, name="minlength", dtype=dtypes.int32)
            size = raw.Maximum(min_length, size)
        if maxlength is not None:
            max_length = ops.convert_to_tensor(maxlength, name="maxlength", dtype=dtypes.int32)
            size = raw.Minimum(max_length, size)
        if weights is not None:
            weights = ops.convert_to_tensor(weights, name="weights")
            return raw.UnsortedSegmentSum(weights, arr, size)
        return raw.Bincount(arr, size, ops.constant([], dtype))
