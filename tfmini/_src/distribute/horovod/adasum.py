"""Adasum, a sum of gradients that leaves out what they have in common.

Of two gradients a and b it is

    (1 - a.b / (2 |a|^2)) a + (1 - a.b / (2 |b|^2)) b

the sum of orthogonal ones, the mean of equal ones; of 4, 8... processes it is that of the Adasums of their halves, in
the order of the ranks. Maleki et al., "Scaling Distributed Training with Adaptive Summation" (2020), section 3.3.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

_LEAST = sys.float_info.min**0.5  # a shorter vector, by its squared norm, is added as it is


def adasum_of_two(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Adasum of two arrays, with products added up as float64."""
    a, b = first.ravel().astype(np.float64), second.ravel().astype(np.float64)
    product, of_a, of_b = a @ b, a @ a, b @ b
    factor = 1 - product / of_a / 2 if of_a >= _LEAST else 1.0
    other = 1 - product / of_b / 2 if of_b >= _LEAST else 1.0
    return (factor * a + other * b).astype(first.dtype).reshape(first.shape)


def adasum(
    value: np.ndarray,
    rank: int,
    size: int,
    exchange: Callable[[int, int, np.ndarray], np.ndarray],
) -> np.ndarray:
    """Adasum of all processes' arrays, with the same bits on each, in log2(size) rounds.

    exchange: `exchange(level, rank, array)` gives a process this one's array for its own.
    """
    level = 1
    while level < size:
        other = exchange(level, rank ^ level, value)
        value = adasum_of_two(other, value) if rank & level else adasum_of_two(value, other)
        level *= 2
    return value
