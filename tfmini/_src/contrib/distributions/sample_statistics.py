"""Statistics of samples: percentiles and auto-correlation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.contrib.distributions.padding import pad_axis
from tfmini._src.contrib.distributions.prefer_static import static_or_tensor, static_rank
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.array.transpose import rotate

_ROUNDING_FUNCTIONS = {"lower": "ceil", "higher": "floor", "nearest": "round"}


def percentile(
    x: TensorLike,
    q: Any,
    axis: TensorLike | None = None,
    interpolation: str | None = None,
    keep_dims: bool = False,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns the q-th percentile of `x`.

    Args:
      x: a numeric tensor.
      q: the percentage, a number from 0 to 100.
      axis: statically known axes to reduce; None for all.
      interpolation: value to use between two elements: "lower", "higher" or "nearest" (by default).
      keep_dims: whether to keep the reduced dimensions with size 1.
      validate_args: whether to check `q` at run time.
      name: the name scope of the nodes, "percentile" by default.

    Returns:
      A tensor of the dtype of `x`, without the reduced axes.

    Raises:
      ValueError: for an unknown interpolation, a non-scalar `q`, or an axis that is out of range or not static.

    Example: `tf.contrib.distributions.percentile(x, 50.0)` is a median.
    """
    if interpolation is None:
        interpolation = "nearest"
    elif interpolation not in _ROUNDING_FUNCTIONS:
        raise ValueError(
            f"Argument 'interpolation' must be in {set(_ROUNDING_FUNCTIONS)}.  Found {interpolation}"
        )
    with name_scope(name or "percentile", values=[x, q]):
        x = convert_to_tensor(x, name="x")
        q = ops.cast(q, dtypes.float64, name="q")
        _checked_rank(q, exactly=0)
        if validate_args:
            checks = [
                ops.assert_rank(q, 0),
                ops.assert_greater_equal(q, ops.cast(0.0, dtypes.float64)),
                ops.assert_less_equal(q, ops.cast(100.0, dtypes.float64)),
            ]
            q = ops.with_dependencies(checks, q)
        axes = None if axis is None else _non_negative_axes(x, axis)
        y = ops.reshape(x, [-1]) if axes is None else _flat_end(x, axes)
        above = 1.0 - q / 100.0
        count = ops.cast(ops.shape(y)[-1], dtypes.float64)
        index = getattr(ops, _ROUNDING_FUNCTIONS[interpolation])((count - 1) * above)
        size = ops.shape(y)[-1]
        index = ops.clip_by_value(ops.cast(index, dtypes.int32), 0, size - 1)
        descending, _ = ops.top_k(y, k=ops.shape(y)[-1])
        result = descending[..., index]
        result.set_shape(y.get_shape()[:-1])
        if not keep_dims:
            return result
        if axes is None:
            rank = _checked_rank(x)
            ones = ops.ones(shape=[ops.rank(x) if rank is None else rank], dtype=dtypes.int32)
            return result * ops.ones(ones, dtype=x.dtype)
        for position in sorted(axes):
            result = ops.expand_dims(result, axis=position)
        return result


def _checked_rank(
    x: Tensor,
    requires_static: bool = False,
    exactly: int | None = None,
    max_rank: int | None = None,
    min_rank: int | None = None,
) -> int | None:
    """Returns the static rank; raises ValueError if it violates a constraint."""
    rank = x.get_shape().ndims
    if rank is None:
        shape = get_static_value(ops.shape(x))
        rank = None if shape is None else shape.ndim
    if rank is None:
        if requires_static:
            raise ValueError("Expected argument 'x' to have statically defined 'ndims'.  Found: ")
        return None
    start = "Expected argument 'x' to have ndims "
    if exactly is not None and rank != exactly:
        raise ValueError(f"{start}{exactly}.  Found tensor {x}")
    if min_rank is not None and rank < min_rank:
        raise ValueError(f"{start}>= {min_rank}.  Found tensor {x}")
    if max_rank is not None and rank > max_rank:
        raise ValueError(f"{start}<= {max_rank}.  Found tensor {x}")
    return rank


def _non_negative_axes(x: Tensor, axis: Any) -> list[int]:
    """Returns the axes as nonnegative indices."""
    axis = convert_to_tensor(axis, name="axis")
    ops.assert_integer(axis)
    rank_of_axis = _checked_rank(axis, requires_static=True, max_rank=1)
    value = get_static_value(axis)
    if value is None:
        raise ValueError(f"Expected argument 'axis' to be statically available.  Found: {axis}")
    rank = _checked_rank(x, requires_static=True, min_rank=1)
    assert rank is not None
    axes = []
    for position in [int(value)] if rank_of_axis == 0 else [int(index) for index in value]:
        if position >= rank:
            raise ValueError(f"dim {position} not in the interval [0, {rank - 1}].")
        if position < -rank:
            raise ValueError(f"Negatively indexed dim {position} not in the interval [-{rank}, -1]")
        axes.append(position if position >= 0 else rank + position)
    return axes


def _flat_end(x: Tensor, axes: list[int]) -> Tensor:
    """Returns `x` with these axes moved to the end and flattened into one."""
    rank: Any = x.get_shape().ndims
    other_axes = sorted(set(range(rank)).difference(axes))
    transposed = ops.transpose(x, perm=other_axes + list(axes))
    if x.get_shape().is_fully_defined():
        sizes = x.get_shape().as_list()
        shape: Any = [sizes[i] for i in other_axes] + [np.prod([sizes[i] for i in axes])]
    else:
        shape = ops.concat([ops.shape(transposed)[: rank - len(axes)], [-1]], axis=0)
    return ops.reshape(transposed, shape=shape)


def auto_correlation(
    x: TensorLike,
    axis: int = -1,
    max_lags: Any = None,
    center: bool = True,
    normalize: bool = True,
    name: str = "auto_correlation",
) -> Tensor:
    """Returns the auto-correlation of sequences at each lag, computed by Fourier transforms.

    Args:
      x: a float or complex tensor.
      axis: the axis of the sequences.
      max_lags: the largest lag, an int; by default the axis size minus 1.
      center: whether to subtract the mean first.
      normalize: whether to divide by the value at lag 0, which then is 1.

    Returns:
      A tensor like `x` with `max_lags + 1` elements on the axis: means of x[n] conj(x[n + lag]) over n.

    Raises:
      TypeError: if `x` is neither float nor complex.
    """
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        rank = static_rank(x)
        position = rank + axis if axis < 0 else axis
        shift = rank - 1 - position
        if isinstance(rank, np.ndarray):
            shift = np.int64(shift)
        sequences = rotate(x, shift)
        if center:
            sequences -= ops.reduce_mean(sequences, axis=-1, keepdims=True)
        length = static_or_tensor(ops.shape(sequences))[-1]
        products = _products(sequences, length, x.dtype)
        max_lags, is_static = _max_lags(sequences, length, max_lags)
        products = products[..., : max_lags + 1]
        if is_static:
            sizes = sequences.shape.as_list()
            sizes[-1] = min(length, max_lags + 1)
            products.set_shape(sizes)
        length = ops.cast(length, x.dtype.real_dtype)
        max_lags = ops.cast(max_lags, x.dtype.real_dtype)
        terms = ops.cast(length - ops.range(0.0, max_lags + 1.0), x.dtype)
        products = products / terms
        if normalize:
            products /= products[..., :1]
        return rotate(products, -shift)


def _products(sequences: Tensor, length: Any, dtype: Any) -> Tensor:
    """Returns sums of x[n] conj(x[n + lag]) for all lags, by the Wiener-Khinchin theorem on zero-padded sequences."""
    length = ops.cast(length, np.float64)
    power = ops.ceil(ops.log(length * 2) / np.log(2.0))
    count = ops.cast(ops.pow(np.float64(2.0), power) - length, np.int32)
    padded_sequences = pad_axis(sequences, axis=-1, pads_front=False, count=count)
    if not dtype.is_complex:
        if not dtype.is_floating:
            raise TypeError(f"Argument x must have either float or complex dtype found: {dtype}")
        padded_sequences = ops.complex(padded_sequences, dtype.real_dtype.as_numpy_dtype(0.0))
    spectrum = ops.fft(padded_sequences)
    return ops.cast(ops.ifft(spectrum * ops.conj(spectrum)), dtype)


def _max_lags(sequences: Tensor, length: Any, max_lags: Any) -> tuple[Any, bool]:
    """Returns the largest lag, and whether both it and the shape of the sequences are static."""
    is_static = sequences.shape.is_fully_defined()
    if max_lags is not None:
        max_lags = convert_to_tensor(max_lags, name="max_lags")
    last = length - 1
    last = np.int64(last) if isinstance(length, np.generic) else last
    if max_lags is None:
        return last, is_static
    value = get_static_value(max_lags)
    if value is None or not is_static:
        return ops.minimum(last, max_lags), False
    return min(last, value), True
