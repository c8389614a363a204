"""Parts that recurrent cell ops share: size checks, the logistic function, products."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.matmul import matmul
from tfmini._src.devices.numpy.blas import product

# An array, the dimension to check, its required size, and its name in the error message.
Size = tuple[Any, int, int, str]


def check_sizes(sizes: Iterable[Size]) -> None:
    """Raises InvalidArgumentError for the first array with a mismatched dimension."""
    for array, axis, expected, text in sizes:
        actual = array.shape[axis] if axis < array.ndim else 1
        if actual != expected:
            invalid(f"{text}: {actual} vs. {expected}")


def check_ranks(arrays: Iterable[tuple[Any, int, str]]) -> None:
    """Raises InvalidArgumentError for the first array of the wrong rank."""
    for array, rank, name in arrays:
        if array.ndim != rank:
            invalid(f"{name} must be {rank}D")


def column_count(array: Any) -> int:
    """Returns the size of the last axis, or 0 for a scalar."""
    return array.shape[-1] if array.shape else 0


def matrix_sizes(array: Any, name: str, rows: int, columns: int, call: str = "dims") -> list[Size]:
    """Returns the size checks of a matrix [batch_size, cell_size]."""
    return [
        (array, 0, rows, f"{name}.{call}(0) != batch_size"),
        (array, 1, columns, f"{name}.{call}(1) != cell_size"),
    ]


def logistic(xp: Any, x: Any) -> Any:
    """Returns 1 / (1 + exp(-x)), computed with tanh in half the time of exp."""
    y = xp.tanh(xp.multiply(x, 0.5))
    xp.multiply(y, 0.5, out=y)
    return xp.add(y, 0.5, out=y)


def multiply(xp: Any, a: Any, b: Any) -> Any:
    """Returns `a @ b`, multiplying half precision in float32."""
    if xp is not np:
        return matmul(xp, a, b)
    if a.dtype.itemsize == 2:
        return np.matmul(a.astype("f"), b.astype("f")).astype(a.dtype)
    return product(a, b)
