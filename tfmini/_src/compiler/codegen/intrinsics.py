"""Runtime helpers other than kernels that a plan's source calls."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.concat import concatenate
from tfmini._src.graph.shape_inference import text as shape_text


@functools.cache
def reusing(ufunc: np.ufunc, position: int) -> Callable[[Array, Array], Array]:
    """Wraps a binary ufunc to write into input `position` if that input has the result's shape."""

    def into(a: Array, b: Array) -> Array:
        target, other = (b, a) if position else (a, b)
        fits = target.shape == other.shape or not other.ndim
        result: Array = ufunc(a, b, target) if fits else ufunc(a, b)
        return result

    return into


def check_predicate(value: Array) -> None:
    if value.ndim:
        invalid(
            f"The second input must be a scalar, but it has shape {shape_text(value.shape)}",
        )


def current(value: object) -> Any:
    """Reads a variable cell or view; returns any other value unchanged."""
    read = getattr(value, "read", None)
    return value if read is None else read()


def no_value(index: int) -> None:
    invalid(f"Retval[{index}] does not have value")


def stack_matrices(
    xp: ModuleType, lists: tuple[Sequence[Array], ...], dims: tuple[int, ...], dtype: np.dtype
) -> tuple[Array, ...]:
    """Stacks each list of matrices vertically, which turns a sum of products into one product.

    For invalid products, returns the factors of the first one, whose product then raises the error.
    """
    for factors in zip(*lists):
        if any(f.ndim != 2 or len(f) != len(factors[0]) for f in factors):
            return tuple(factors)
    if not lists[0]:
        return tuple(xp.empty((0, width), dtype) for width in dims)
    return tuple(concatenate(xp, parts) for parts in lists)


def row_major(value: Array) -> Array:
    """Returns a fetched array in TensorFlow's row-major layout; numpy results follow their inputs' layout."""
    if isinstance(value, np.ndarray) and not value.flags.c_contiguous:
        return value.copy()
    return value


def copy(value: Any) -> Any:
    """Returns a copy that the caller may keep and modify."""
    return value.copy() if isinstance(value, np.ndarray) else value
