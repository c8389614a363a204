"""`tf` functions under their Keras names and with Keras defaults: `K.sum(x, axis)`, `K.clip(x, low, high)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.autodiff.gradients import gradients as _gradients
from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.ops import ops


def _constant_like(value: Any, template: Any) -> Any:
    return ops.constant(value, dtype=template.dtype.base_dtype)


def _bools_as_floats(x: Any) -> Any:
    """Casts booleans to floats; returns other tensors unchanged."""
    return ops.cast(x, floatx()) if x.dtype.base_dtype == dtypes.bool else x


def cast(x: TensorLike, dtype: DTypeLike) -> Any:
    """Casts `x` to another dtype."""
    return ops.cast(x, dtype)


def update(x: TensorLike, new_x: TensorLike) -> Any:
    """Assigns `new_x` to the variable `x`."""
    return ops.assign(x, new_x)


def update_add(x: TensorLike, increment: TensorLike) -> Any:
    """Adds `increment` to the variable `x`."""
    return ops.assign_add(x, increment)


def update_sub(x: TensorLike, decrement: TensorLike) -> Any:
    """Subtracts `decrement` from the variable `x`."""
    return ops.assign_sub(x, decrement)


def max(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Returns the largest element along `axis`, an int or a list; None reduces all axes."""
    return ops.reduce_max(x, axis, keepdims)


def min(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Returns the smallest element along `axis`."""
    return ops.reduce_min(x, axis, keepdims)


def sum(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Returns the sum along `axis`."""
    return ops.reduce_sum(x, axis, keepdims)


def prod(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Returns the product along `axis`."""
    return ops.reduce_prod(x, axis, keepdims)


def cumsum(x: TensorLike, axis: int = 0) -> Any:
    """Returns the cumulative sum along `axis`."""
    return ops.cumsum(x, axis=axis)


def cumprod(x: TensorLike, axis: int = 0) -> Any:
    """Returns the cumulative product along `axis`."""
    return ops.cumprod(x, axis=axis)


def var(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Returns the variance along `axis`."""
    return ops.reduce_variance(_bools_as_floats(x), axis=axis, keepdims=keepdims)


def std(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Returns the standard deviation along `axis`."""
    return ops.reduce_std(_bools_as_floats(x), axis=axis, keepdims=keepdims)


def mean(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Returns the mean along `axis`; for booleans, the fraction that is true."""
    return ops.reduce_mean(_bools_as_floats(x), axis, keepdims)


def any(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Whether any element along `axis` is nonzero."""
    return ops.reduce_any(ops.cast(x, dtypes.bool), axis, keepdims)


def all(x: TensorLike, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """Whether all elements along `axis` are nonzero."""
    return ops.reduce_all(ops.cast(x, dtypes.bool), axis, keepdims)


def argmax(x: TensorLike, axis: int = -1) -> Any:
    """Returns the index of the largest element along `axis` as an int64 tensor."""
    return ops.argmax(x, axis)


def argmin(x: TensorLike, axis: int = -1) -> Any:
    """Returns the index of the smallest element along `axis` as an int64 tensor."""
    return ops.argmin(x, axis)


def square(x: TensorLike) -> Any:
    """Returns x * x elementwise."""
    return ops.square(x)


def abs(x: TensorLike) -> Any:
    """Returns |x| elementwise."""
    return ops.abs(x)


def sqrt(x: TensorLike) -> Any:
    """Returns the square root, with negative numbers treated as 0."""
    zero, infinity = _constant_like(0.0, x), _constant_like(np.inf, x)
    return ops.sqrt(ops.clip_by_value(x, zero, infinity))


def exp(x: TensorLike) -> Any:
    """Returns e to the power of x."""
    return ops.exp(x)


def log(x: TensorLike) -> Any:
    """Returns the natural logarithm."""
    return ops.log(x)


def round(x: TensorLike) -> Any:
    """Rounds to the nearest integer, ties to even."""
    return ops.round(x)


def sign(x: TensorLike) -> Any:
    """Returns the sign: -1, 0 or 1."""
    return ops.sign(x)


def pow(x: TensorLike, a: TensorLike) -> Any:
    """Returns x to the power of a."""
    return ops.pow(x, a)


def clip(x: TensorLike, min_value: Any, max_value: Any) -> Any:
    """Clips `x` to [min_value, max(min_value, max_value)]; with `max_value` None there is no upper bound."""
    if max_value is not None and max_value < min_value:
        max_value = min_value
    if max_value is None:
        max_value = np.inf
    low = _constant_like(min_value, x)
    return ops.clip_by_value(x, low, _constant_like(max_value, x))


def equal(x: TensorLike, y: TensorLike) -> Any:
    """Whether x == y, elementwise."""
    return ops.equal(x, y)


def not_equal(x: TensorLike, y: TensorLike) -> Any:
    """Whether x != y, elementwise."""
    return ops.not_equal(x, y)


def greater(x: TensorLike, y: TensorLike) -> Any:
    """Whether x > y, elementwise."""
    return ops.greater(x, y)


def greater_equal(x: TensorLike, y: TensorLike) -> Any:
    """Whether x >= y, elementwise."""
    return ops.greater_equal(x, y)


def less(x: TensorLike, y: TensorLike) -> Any:
    """Whether x < y, elementwise."""
    return ops.less(x, y)


def less_equal(x: TensorLike, y: TensorLike) -> Any:
    """Whether x <= y, elementwise."""
    return ops.less_equal(x, y)


def maximum(x: TensorLike, y: TensorLike) -> Any:
    """Returns the elementwise maximum of `x` and `y`."""
    return ops.maximum(x, y)


def minimum(x: TensorLike, y: TensorLike) -> Any:
    """Returns the elementwise minimum of `x` and `y`."""
    return ops.minimum(x, y)


def sin(x: TensorLike) -> Any:
    """Returns the sine, elementwise."""
    return ops.sin(x)


def cos(x: TensorLike) -> Any:
    """Returns the cosine, elementwise."""
    return ops.cos(x)


def gradients(loss: TensorLike, variables: Sequence[Any]) -> list[Any]:
    """Returns the gradients of `loss` with respect to `variables`; None for variables it does not depend on."""
    return _gradients(loss, variables, colocate_gradients_with_ops=True)


def stop_gradient(variables: Sequence[Any]) -> Any:
    """Returns `variables` with gradients stopped; for a list, a map object."""
    if isinstance(variables, (list, tuple)):
        return map(ops.stop_gradient, variables)
    return ops.stop_gradient(variables)
