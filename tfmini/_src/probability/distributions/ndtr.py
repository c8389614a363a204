"""Cumulative distribution functions of the standard normal and Laplace distributions, accurate in the tails.

The formulas for the normal distribution are from Cephes (S. L. Moshier, "Methods and Programs for Mathematical
Functions", 1989); the logarithm in its left tail is an asymptotic series.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

# Below the first the series is used, above the second log(1 - x) = -x.
_SEGMENTS = {
    dtypes.float32: (np.array(-10, np.float32), np.array(5, np.float32)),
    dtypes.float64: (np.array(-20, np.float64), np.array(8, np.float64)),
}


def ndtr(x: Any, name: str = "ndtr") -> Tensor:
    """Returns P[X <= x] for a standard normal X; x is float32 or float64."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.as_numpy_dtype not in (np.float32, np.float64):
            raise TypeError(f"x.dtype={x.dtype} is not handled, see docstring for supported types.")
        return _ndtr(x)


def _ndtr(x: Tensor) -> Tensor:
    half_sqrt_2 = ops.constant(0.5 * np.sqrt(2.0), dtype=x.dtype, name="half_sqrt_2")
    w = x * half_sqrt_2
    z = ops.abs(w)
    is_small = ops.less(z, half_sqrt_2)
    middle = 1.0 + ops.erf(w)
    right = ops.greater(w, 0.0)
    tails = ops.where_v2(right, 2.0 - ops.erfc(z), ops.erfc(z))
    return 0.5 * ops.where_v2(is_small, middle, tails)


def log_ndtr(x: Any, series_order: int = 3, name: str = "log_ndtr") -> Tensor:
    """Returns log P[X <= x] for a standard normal X, for x << 0 by an asymptotic series of `series_order` terms."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        if x.dtype not in _SEGMENTS:
            raise TypeError(f"x.dtype={x.dtype} is not supported.")
        lower, upper = _SEGMENTS[x.dtype]
        above = ops.greater(x, upper)
        right = -_ndtr(-x)
        is_above_lower = ops.greater(x, lower)
        # The bounds keep NaN out of the gradient of the unselected branch.
        middle = ops.log(_ndtr(ops.maximum(x, lower)))
        left = _log_ndtr_left(ops.minimum(x, lower), series_order)
        return ops.where_v2(above, right, ops.where_v2(is_above_lower, middle, left))


def _log_ndtr_left(x: Tensor, series_order: int) -> Tensor:
    squared = ops.square(x)
    log_scale = -0.5 * squared - ops.log(-x) - 0.5 * np.log(2.0 * np.pi)
    return log_scale + ops.log(_asymptotic_series(x, series_order))


def _asymptotic_series(x: Tensor, order: int) -> Tensor:
    """Returns 1 - 1 / x^2 + 3 / x^4 - 15 / x^6 ..., summing the even and odd terms separately."""
    squared = ops.square(x)
    even_sum = ops.zeros_like(x)
    odd_sum = ops.zeros_like(x)
    power = squared
    for n in range(1, order + 1):
        double_factorial = np.prod(np.arange(2 * n - 1, 1, -2))
        term = np.array(double_factorial, x.dtype.as_numpy_dtype) / power
        if n % 2:
            odd_sum += term
        else:
            even_sum += term
        power *= squared
    return 1.0 + even_sum - odd_sum


def log_cdf_laplace(x: Any, name: str = "log_cdf_laplace") -> Tensor:
    """Returns log P[X <= x] for a Laplace distribution with location 0 and scale 1."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        lower = -np.log(2.0) + x
        # exp(-|x|) is at most 1 where the other branch is selected.
        upper = ops.log1p(-0.5 * ops.exp(-ops.abs(x)))
        return ops.where_v2(x < 0.0, lower, upper)
