"""What numpy has dropped and has under no other name."""

from __future__ import annotations

from typing import Any

import numpy as np

NINF = -np.inf


def asscalar(a: np.ndarray) -> Any:
    """The one element of an array as a Python number."""
    return a.item()


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> np.ndarray:
    """For each element of the first array, flat, whether the second has it."""
    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def msort(a: Any) -> np.ndarray:
    """A copy sorted along the first axis."""
    return np.sort(a, axis=0)


def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """The integral of `y` by trapezoids."""
    return np.trapezoid(y, x, dx, axis)
