"""Public reductions: resolution of the axis argument, and functions composed of the reduction ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.ragged_dispatch import accepts_ragged

_KEEP_DIMS = deprecated_args(None, "keep_dims is deprecated, use keepdims instead", "keep_dims")


def _reduce(reduction: Callable, x: Any, axis: Any, keepdims: Any, name: str | None) -> Tensor:
    """Adds the node of a reduction, over all axes by default."""
    indices = _all_axes(x) if axis is None else axis
    result = reduction(x, indices, keep_dims=keepdims, name=name)
    if axis is None and not keepdims and not result.shape.is_fully_defined():
        result.set_shape(())
    return result


def _all_axes(x: Any) -> Tensor | list[int]:
    rank = None
    if isinstance(x, Tensor):
        rank = x._rank()
        if rank is not None and isinstance(x, EagerTensor):
            return list(range(rank))
    elif isinstance(x, SparseTensor) and x.dense_shape.shape.is_fully_defined():
        rank = x.dense_shape.shape.as_list()[0]
    if rank is not None:
        return ops.constant(np.arange(rank, dtype=np.int32), dtype=dtypes.int32)
    return ops.range(0, ops.rank(x))


def _old_names(axis: Any, keepdims: Any, reduction_indices: Any, keep_dims: Any) -> tuple:
    """Returns `axis` and `keepdims`, which may be passed under their new or old names."""
    axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
    return axis, deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)


@_KEEP_DIMS
@public
@accepts_ragged("input_tensor")
def reduce_sum(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Sums the elements along `axis`.

    Args:
      input_tensor: a numeric tensor.
      axis: an axis, or a list or integer tensor of axes, counted from the end if negative; all by default.
      keepdims: whether to keep the reduced axes with size 1.
      reduction_indices: the old name of `axis`.
      keep_dims: the old name of `keepdims`.

    Returns:
      A Tensor of the dtype of `input_tensor`.

    Example: `tf.reduce_sum([[1, 2], [3, 4]], 0)` is `[4, 6]`.
    """
    axis, keepdims = _old_names(axis, keepdims, reduction_indices, keep_dims)
    return _reduce(raw.Sum, input_tensor, axis, keepdims, name)


@public
@accepts_ragged("input_tensor")
def reduce_mean(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Returns the mean along `axis`, truncated for integers; see `tf.reduce_sum` for the arguments."""
    axis, keepdims = _old_names(axis, keepdims, reduction_indices, keep_dims)
    return _reduce(raw.Mean, input_tensor, axis, keepdims, name)


@_KEEP_DIMS
@public
@accepts_ragged("input_tensor")
def reduce_prod(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Returns the product of the elements along `axis`; see `tf.reduce_sum` for the arguments."""
    axis, keepdims = _old_names(axis, keepdims, reduction_indices, keep_dims)
    return _reduce(raw.Prod, input_tensor, axis, keepdims, name)


@_KEEP_DIMS
@public
@accepts_ragged("input_tensor")
def reduce_min(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Returns the minimum of the elements along `axis`; see `tf.reduce_sum` for the arguments."""
    axis, keepdims = _old_names(axis, keepdims, reduction_indices, keep_dims)
    return _reduce(raw.Min, input_tensor, axis, keepdims, name)


@_KEEP_DIMS
@public
@accepts_ragged("input_tensor")
def reduce_max(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Returns the maximum of the elements along `axis`; see `tf.reduce_sum` for the arguments."""
    axis, keepdims = _old_names(axis, keepdims, reduction_indices, keep_dims)
    return _reduce(raw.Max, input_tensor, axis, keepdims, name)


@_KEEP_DIMS
@public
@accepts_ragged("input_tensor")
def reduce_all(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Returns the logical AND of bools along `axis`; see `tf.reduce_sum` for the arguments."""
    axis, keepdims = _old_names(axis, keepdims, reduction_indices, keep_dims)
    return _reduce(raw.All, input_tensor, axis, keepdims, name)


@_KEEP_DIMS
@public
@accepts_ragged("input_tensor")
def reduce_any(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Returns the logical OR of bools along `axis`; see `tf.reduce_sum` for the arguments."""
    axis, keepdims = _old_names(axis, keepdims, reduction_indices, keep_dims)
    return _reduce(raw.Any, input_tensor, axis, keepdims, name)


@_KEEP_DIMS
@public
def reduce_logsumexp(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Returns `log(sum(exp(x)))` along `axis` without overflow; see `tf.reduce_sum` for the arguments."""
    axis, keepdims = _old_names(axis, keepdims, reduction_indices, keep_dims)
    x = ops.convert_to_tensor(input_tensor)
    with name_scope(name, "ReduceLogSumExp", [x]):
        largest = ops.reduce_max(x, axis=axis, keepdims=True)
        finite = ops.where(ops.is_finite(largest), largest, ops.zeros_like(largest))
        shift = ops.stop_gradient(finite)
        result = raw.Log(ops.reduce_sum(raw.Exp(raw.Sub(x, shift)), axis, keepdims=keepdims))
        if not keepdims:
            shift = ops.reshape(shift, ops.shape(result))
        result = raw.Add(result, shift)
        if axis is None and not keepdims and not result.shape.is_fully_defined():
            result.set_shape(())
        return result


@public
def reduce_euclidean_norm(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns the Euclidean norm along `axis`; see `tf.reduce_sum` for the arguments."""
    return _reduce(raw.EuclideanNorm, input_tensor, axis, keepdims, name)


@public
def reduce_variance(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns the variance, the mean squared difference from the mean, along `axis`.

    Args:
      input_tensor: a float or complex tensor.
      axis: the axis or axes; all by default.
      keepdims: whether to keep the reduced axes with size 1.
    """
    with name_scope(name or "reduce_variance"):
        means = ops.reduce_mean(input_tensor, axis=axis, keepdims=True)
        squares = raw.Square(input_tensor - means)
        return ops.reduce_mean(squares, axis=axis, keepdims=keepdims)


@public
def reduce_std(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns the standard deviation along `axis`, the square root of `tf.math.reduce_variance`."""
    with name_scope(name or "reduce_std"):
        return raw.Sqrt(ops.reduce_variance(input_tensor, axis=axis, keepdims=keepdims))


@_KEEP_DIMS
@deprecated_args(None, "reduction_indices is deprecated, use axis instead", "axis")
@public
def count_nonzero(
    input_tensor: TensorLike | None = None,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = dtypes.int64,
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """Counts the nonzero elements along `axis`, or the nonempty elements of a string tensor.

    Args:
      input_tensor: a tensor of numbers, bools or strings.
      axis: the axis or axes; all by default.
      keepdims: whether to keep the reduced axes with size 1.
      dtype: the dtype of the result.
      reduction_indices: the old name of `axis`.
      keep_dims: the old name of `keepdims`.
      input: an alias of `input_tensor`.
    """
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    x = deprecated_argument_lookup("input", input, "input_tensor", input_tensor)
    axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
    with name_scope(name, "count_nonzero", [x]):
        x = ops.convert_to_tensor(x, name="input")
        zero = ops.zeros([], dtype=x.dtype)
        differs = ops.cast(raw.NotEqual(x, zero), dtypes.int64)
        return ops.cast(ops.reduce_sum(differs, axis=axis, keepdims=bool(keepdims)), dtype=dtype)
