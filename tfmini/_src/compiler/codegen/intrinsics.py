"""Functions other than kernels that the lines of a plan call."""

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
    """The ufunc of two inputs, writing into input number `position` where that has the shape of the result."""

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
    """The current value of a variable's cell or of a view of one; any other value itself."""
    read = getattr(value, "read", None)
    return value if read is None else read()


def no_value(number: int) -> None:
    invalid(f"Retval[{number}] does not have value")


def joined(
    xp: ModuleType, lists: tuple[Sequence[Array], ...], dims: tuple[int, ...], dtype: np.dtype
) -> tuple[Array, ...]:
    """The matrices of each list below each other: the factors of products that are added, as those of one product.

    Of products that cannot be made it gives the first one's factors: their product says what is wrong.
    """
    for factors in zip(*lists):
        if any(f.ndim != 2 or len(f) != len(factors[0]) for f in factors):
            return tuple(factors)
    if not lists[0]:
        return tuple(xp.empty((0, width), dtype) for width in dims)
    return tuple(concatenate(xp, parts) for parts in lists)


def row_major(value: Array) -> Array:
    """A fetched array as TensorFlow lays it out: numpy's results follow the layout of their inputs."""
    if isinstance(value, np.ndarray) and not value.flags.c_contiguous:
        return value.copy()
    return value


def copy(value: Any) -> Any:
    """A value that the caller may keep and change."""
    return value.copy() if isinstance(value, np.ndarray) else value
