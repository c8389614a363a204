"""`tensorflow.python.ops.ragged.ragged_batch_gather_with_default_op`: a batch gather with a default."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_selection import where
from tfmini._src.ops.ragged.ragged_tensor import (
    RaggedTensor,
    match_row_splits_dtypes,
    tensor_or_ragged,
)
from tfmini._src.ops.ragged.ragged_tensor_shape import RaggedTensorDynamicShape, broadcast_to

__all__ = ["batch_gather_with_default"]


def batch_gather_with_default(
    params: Any, indices: Any, default_value: Any = "", name: str | None = None
) -> Any:
    """Same as `tf.batch_gather` for tensors that may be ragged, with a default for out-of-bounds indices.

    Args:
      params: [B1, ..., BN, P1, ..., PM].
      indices: [B1, ..., BN, I].
      default_value: a scalar or vector of the dtype of `params`.

    Returns:
      [B1, ..., BN, I, P2, ..., PM].

    Raises:
      ValueError: for an unknown rank, or a default with more than one axis.

    Example: with `[["a", "b"], ["c"]]`, `[[1, 2], [-1]]` and `"?"` it is `[["b", "?"], ["?"]]`.
    """
    with name_scope(name, "RaggedBatchGatherWithDefault"):
        params, indices, default = (
            tensor_or_ragged(value, name=label)
            for value, label in (
                *((params, "params"), (indices, "indices")),
                (default_value, "default_value"),
            )
        )
        splits_dtype, (params, indices, default) = match_row_splits_dtypes(
            params, indices, default, return_dtype=True
        )
        if default.shape.ndims not in (0, 1):
            raise ValueError('"default_value" must be a scalar or vector')
        for tensor, label in ((indices, "Indices"), (params, "Params")):
            if tensor.shape.ndims is None:
                raise ValueError(f"{label} must have a known rank.")
        axis = indices.shape.ndims - 1
        if isinstance(params, RaggedTensor):
            sizes = ops.expand_dims(params.row_lengths(axis=axis), axis=-1)
            sizes = ops.cast(sizes, indices.dtype)
            first = broadcast_to(default, _shape_of_first(params, axis, splits_dtype))
        else:
            shape = ops.shape(params)
            sizes = ops.cast(shape[axis], indices.dtype)
            first = ops.broadcast_to(default, ops.concat([shape[:axis], [1], shape[axis + 1 :]], 0))
        padded = ops.concat([ops.cast(first, params.dtype), params], axis=axis)
        is_outside = ops.logical_or(indices < 0, indices >= sizes)
        shifted = where(is_outside, ops.zeros_like(indices), indices + 1)
        return ops.batch_gather(padded, shifted, name=name)


def _shape_of_first(params: RaggedTensor, axis: int, dtype: dtypes.DType) -> Any:
    """Returns the shape of one element along an axis, combined with the shape of the default."""
    shape = RaggedTensorDynamicShape.from_tensor(params, dim_size_dtype=dtype)
    outer, inner = shape.partitioned_dim_sizes, shape.inner_dim_sizes
    if params.shape.ndims == axis + 1:
        if shape.num_inner_dimensions:
            return RaggedTensorDynamicShape(outer, ops.concat([inner[:-1], [1]], axis=0))
        return RaggedTensorDynamicShape((*outer[:-1], ops.ones_like(outer[-1])), [])
    if axis == 0:
        one = ops.constant(1, dtype)
        sizes = [ops.constant([1], dtype)] * (len(outer) - 1)
        return RaggedTensorDynamicShape((one, *sizes), inner)
    ones = [ops.ones_like(outer[axis])] * (len(outer) - axis)
    return RaggedTensorDynamicShape((*outer[:axis], *ones), inner)
