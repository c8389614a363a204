"""Mean and variance along axes."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
def sufficient_statistics(
    x: TensorLike,
    axes: Any,
    shift: TensorLike | None = None,
    keep_dims: bool | None = None,
    name: str | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """Computes sufficient statistics for `normalize_moments` in one pass: count, sum, sum of squares, shift.

    Args:
      x: a float tensor.
      axes: a list of axes.
      shift: a tensor near the mean, which is subtracted before summing for accuracy; or None.
      keep_dims: the old name of `keepdims`.
      keepdims: whether to keep the reduced axes with size 1.

    Returns:
      (number of elements per sum, sums, sums of squares, the shift or None).
    """
    axes = list(set(axes))
    keepdims = bool(deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(name, "sufficient_statistics", [x, shift]):
        x = ops.convert_to_tensor(x, name="x")
        dims = x.shape.dims
        if dims is not None and all(dims[axis].value is not None for axis in axes):
            count = 1
            for axis in axes:
                count *= dims[axis].value
            counts = ops.constant(count, dtype=x.dtype)
        else:
            sizes = ops.gather(ops.cast(ops.shape(x), x.dtype), axes)
            counts = ops.reduce_prod(sizes, name="count")
        if shift is not None:
            shift = ops.convert_to_tensor(shift, name="shift")
            first, second = ops.subtract(x, shift), ops.squared_difference(x, shift)
        else:
            first, second = x, ops.square(x)
        first = ops.reduce_sum(first, axes, keepdims=keepdims, name="mean_ss")
        second = ops.reduce_sum(second, axes, keepdims=keepdims, name="var_ss")
    return counts, first, second, shift


@public
def normalize_moments(
    counts: TensorLike,
    mean_ss: TensorLike,
    variance_ss: TensorLike,
    shift: TensorLike,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes mean and variance from the results of `sufficient_statistics`.

    Args:
      counts: the number of elements per sum.
      mean_ss: the sums (of x - shift).
      variance_ss: the sums of squares (of x - shift).
      shift: the subtracted shift, or None.

    Returns:
      (mean, variance).
    """
    with name_scope(name, "normalize", [counts, mean_ss, variance_ss, shift]):
        divisor = ops.reciprocal(counts, name="divisor")
        if shift is not None:
            shifted_mean = ops.multiply(mean_ss, divisor, name="shifted_mean")
            mean = ops.add(shifted_mean, shift, name="mean")
        else:
            mean = shifted_mean = ops.multiply(mean_ss, divisor, name="mean")
        variance = ops.subtract(
            ops.multiply(variance_ss, divisor), ops.square(shifted_mean), name="variance"
        )
    return mean, variance


@public
def moments(
    x: Any,
    axes: TensorLike,
    shift: TensorLike | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes the mean and (biased) variance of `x` over `axes`.

    Args:
      x: a float tensor; float16 is computed in float32.
      axes: a list of axes.
      shift: ignored.
      keep_dims: the old name of `keepdims`.
      keepdims: whether to keep the reduced axes with size 1.

    Returns:
      (mean, variance), in the dtype of `x`.
    """
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "moments", [x, axes]):
        short = x.dtype == dtypes.float16
        y = ops.cast(x, dtypes.float32) if short else x
        mean = ops.reduce_mean(y, axes, keepdims=True, name="mean")
        # This mean has zero gradient, so no gradient is computed.
        squares = ops.squared_difference(y, ops.stop_gradient(mean))
        variance = ops.reduce_mean(squares, axes, keepdims=True, name="variance")
        if not keepdims:
            mean = ops.squeeze(mean, axes)
            variance = ops.squeeze(variance, axes)
        if short:
            return ops.cast(mean, dtypes.float16), ops.cast(variance, dtypes.float16)
        return mean, variance


@public
def weighted_moments(
    x: TensorLike,
    axes: TensorLike,
    frequency_weights: TensorLike,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.nn.moments` with `frequency_weights` that are broadcastable to `x`."""
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        x = ops.convert_to_tensor(x, name="x")
        weights = ops.convert_to_tensor(frequency_weights, name="frequency_weights")
        short = x.dtype == dtypes.float16
        if short:
            x = ops.cast(x, dtypes.float32)
        if weights.dtype != x.dtype:
            weights = ops.cast(weights, x.dtype)
        total = ops.reduce_sum(weights * x, axes, name="weighted_input_sum", keepdims=True)
        broadcast = weights + ops.zeros_like(x)
        weight = ops.reduce_sum(broadcast, axes, name="sum_of_weights", keepdims=True)
        divisor = ops.reciprocal(weight, name="inv_weight_sum")
        mean = ops.multiply(total, divisor)
        squares = weights * ops.squared_difference(x, mean)
        distances = ops.reduce_sum(squares, axes, name="weighted_distsq", keepdims=True)
        variance = ops.multiply(distances, divisor)
        if not keepdims:
            mean = ops.squeeze(mean, axis=axes)
            variance = ops.squeeze(variance, axis=axes)
        if short:
            return ops.cast(mean, dtypes.float16), ops.cast(variance, dtypes.float16)
        return mean, variance
