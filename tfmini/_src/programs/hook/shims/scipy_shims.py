"""Names removed from scipy: Simpson's rule by position, finite differences, item counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.devices.numpy import scipy

# Weights of the values around a point, by derivative order and number of points.
_WEIGHTS = {
    (1, 3): np.array([-1, 0, 1]) / 2.0,
    (1, 5): np.array([1, -8, 0, 8, -1]) / 12.0,
    (1, 7): np.array([-1, 9, -45, 0, 45, -9, 1]) / 60.0,
    (2, 3): np.array([1, -2, 1]),
    (2, 5): np.array([-1, 16, -30, 16, -1]) / 12.0,
    (2, 7): np.array([2, -27, 270, -490, 270, -27, 2]) / 180.0,
}


def simps(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1, even: Any = None) -> Any:
    """Returns the integral of `y` by Simpson's rule; the obsolete argument `even` has no effect."""
    return scipy.integrate.simpson(y, x=x, dx=dx, axis=axis)


def derivative(
    func: Callable, x0: Any, dx: Any = 1.0, n: int = 1, args: tuple = (), order: int = 3
) -> Any:
    """Returns the n-th derivative of `func` at `x0`, from `order` points spaced `dx` apart; both may be arrays."""
    points = "'order' (the number of points used to compute the derivative)"
    if order < n + 1:
        raise ValueError(f"{points}, must be at least the derivative order 'n' + 1.")
    if order % 2 == 0:
        raise ValueError(f"{points} must be odd.")
    steps = np.arange(order) - order // 2
    weights = _WEIGHTS.get((n, order))
    if weights is None:
        weights = math.factorial(n) * np.linalg.inv(np.vander(steps, increasing=True))[n]
    return sum(w * func(x0 + step * dx, *args) for w, step in zip(weights, steps)) / dx**n


def itemfreq(a: Any) -> np.ndarray:
    """Returns the sorted distinct items with their counts, [items, 2]."""
    items, counts = np.unique(a, return_counts=True)
    return np.array([items, counts]).T


def binom_test(x: Any, n: Any = None, p: float = 0.5, alternative: str = "two-sided") -> float:
    """Returns the p-value of `x` successes in `n` trials, or of `x[0]` successes and `x[1]` failures."""
    if n is None:
        x, n = x[0], x[0] + x[1]
    return scipy.stats.binomtest(int(x), int(n), p, alternative=alternative).pvalue
