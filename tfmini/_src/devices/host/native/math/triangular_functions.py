"""Square roots and logarithms of upper triangular complex128 matrices."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import address, function


def root(triangle: np.ndarray) -> np.ndarray | None:
    """Returns the square root of a triangular matrix; None without the library."""
    kernel = function("triangular_root")
    if kernel is None:
        return None
    result = np.array(triangle, np.complex128, order="C")
    kernel(address(result), len(result))
    return result


def logarithm(triangle: np.ndarray) -> np.ndarray | None:
    """Returns the logarithm of a triangular matrix; None without the library, or if square roots do not converge."""
    kernel = function("triangular_logarithm")
    if kernel is None:
        return None
    matrix = np.array(triangle, np.complex128, order="C")
    result, column = np.empty_like(matrix), np.empty(len(matrix), matrix.dtype)
    has_run = kernel(address(matrix), address(result), address(column), len(matrix))
    return result if has_run else None
