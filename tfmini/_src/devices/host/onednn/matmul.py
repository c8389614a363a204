"""float32 matrix products through oneDNN, with primitives cached by shapes."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.onednn.library import (
    DST,
    ROWS,
    SRC,
    WEIGHTS,
    Argument,
    Library,
    OneDnnError,
    Steps,
    library,
    library_for,
)

# Minimum multiplications: below, NumPy's path is as fast; also if all sides exceed the second number, or a side
# of the result is below the first.
_MIN_MULTIPLICATIONS = 32_000_000
_MIN_SIDE, _MAX_SHORTER_SIDE = 8, 512


def product(a: Any, b: Any) -> Any:
    """Returns `a @ b` of two matrices, each optionally transposed; None if NumPy must compute it."""
    if not _should_use_for_arrays(a, b):
        return None
    are_transposed = not a.flags.c_contiguous, not b.flags.c_contiguous
    library = library_for(a.T if are_transposed[0] else a, b.T if are_transposed[1] else b)
    if library is None:
        return None
    try:
        prepared = _prepared(library, (*a.shape, b.shape[1]), are_transposed)
    except OneDnnError:
        return None
    return prepared.run(a, b)


def is_supported(a: Array, b: Array) -> bool:
    """Whether `product` is likely to support these matrices."""
    rows, inner = a.shape
    return len(b) == inner and a.dtype == np.float32 and should_use_onednn(rows, inner, b.shape[1])


def should_use_onednn(rows: int, inner: int, columns: int) -> bool:
    """Whether the library is loaded and the fastest option for these sizes."""
    return _is_suitable(rows, inner, columns) and library() is not None


def _should_use_for_arrays(a: Array, b: Array) -> bool:
    rows, inner = a.shape
    return len(b) == inner and _is_suitable(rows, inner, b.shape[1])


def _is_suitable(rows: int, inner: int, columns: int) -> bool:
    if (
        rows * inner * columns < _MIN_MULTIPLICATIONS
        or min(rows, inner, columns) > _MAX_SHORTER_SIDE
    ):
        return False
    return min(rows, columns) >= _MIN_SIDE


class _Product:
    """The primitive of a product for one set of shapes."""

    def __init__(
        self, library: Library, sizes: tuple[int, int, int], are_transposed: tuple[bool, bool]
    ):
        rows, inner, columns = sizes
        self.shape = rows, columns
        a = library.with_strides((rows, inner), (1, rows) if are_transposed[0] else (inner, 1))
        b = library.with_strides(
            (inner, columns), (1, inner) if are_transposed[1] else (columns, 1)
        )
        result = library.description(self.shape, ROWS)
        description = library.describe_primitive("matmul", a, b, None, result)
        self.arguments = [Argument(description) for description in (a, b, result)]
        self.steps = Steps(library)
        self.steps.add(description, *zip((SRC, WEIGHTS, DST), self.arguments))

    def run(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        result = np.empty(self.shape, np.float32)
        self.steps.run(*zip(self.arguments, (a, b, result)))
        return result


_prepared = functools.lru_cache(maxsize=128)(_Product)
