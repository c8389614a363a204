"""Adasum, a sum of gradients that removes their common component.

For two gradients a and b it is

    (1 - a.b / (2 |a|^2)) a + (1 - a.b / (2 |b|^2)) b

the sum of orthogonal gradients, and the mean of equal ones; for 4, 8... processes it is the Adasum of the Adasums of
both halves, in rank order. Maleki et al., "Scaling Distributed Training with Adaptive Summation" (2020), section 3.3.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

_MIN_SQUARED_NORM = sys.float_info.min**0.5  # vectors with smaller norms are simply added


def adasum_of_two(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns the Adasum of two arrays, with dot products accumulated in float64."""
    a, b = first.ravel().astype(np.float64), second.ravel().astype(np.float64)
    product, a_squared, b_squared = a @ b, a @ a, b @ b
    factor = 1 - product / a_squared / 2 if a_squared >= _MIN_SQUARED_NORM else 1.0
    other = 1 - product / b_squared / 2 if b_squared >= _MIN_SQUARED_NORM else 1.0
    return (factor * a + other * b).astype(first.dtype).reshape(first.shape)


def adasum(
    value: np.ndarray,
    rank: int,
    size: int,
    exchange: Callable[[int, int, np.ndarray], np.ndarray],
) -> np.ndarray:
    """Returns the Adasum of all processes' arrays, bitwise equal on each, in log2(size) rounds.

    exchange: `exchange(level, rank, array)` sends the array to a process and returns that process's array.
    """
    level = 1
    while level < size:
        other = exchange(level, rank ^ level, value)
        value = adasum_of_two(other, value) if rank & level else adasum_of_two(value, other)
        level *= 2
    return value
