"""Solves linear systems for a batch of matrices in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.host.native.library import (
    FLOATS,
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_PRODUCTS = 1 << 16
_MAX_CHOLESKY_ROWS = 48  # number of rows above which LAPACK is faster
_MIN_LAPACK_ROWS = 256  # number of rows above which LAPACK's blocked algorithms are faster


def solve_triangles(
    matrices: np.ndarray, sides: np.ndarray, lower: bool, transposed: bool
) -> np.ndarray | None:
    """Returns the solutions of `matrices @ x = sides`, [..., size, columns]; None if SciPy must compute them.

    Args:
      matrices: [..., size, size], of which only the lower or the upper triangle is read.
      transposed: whether the triangle is transposed first.

    Raises:
      LinAlgError: if a diagonal contains a zero or begins with NaN.
    """
    return _solve("solve_triangles", matrices, sides, lower, transposed)


def solve_systems(
    matrices: np.ndarray, sides: np.ndarray | None, transposed: bool
) -> np.ndarray | None:
    """Same as `solve_triangles` for general matrices [..., size, size].

    Returns the inverses if `sides` is None, and None if LAPACK must compute the result.

    Raises:
      LinAlgError: if a matrix is singular or begins with NaN.
    """
    if matrices.shape[-1] >= _MIN_LAPACK_ROWS:
        return None
    return _solve("solve_systems", matrices, sides, transposed)


def solve_tridiagonal(
    diagonals: np.ndarray, sides: np.ndarray, pivoting: bool
) -> np.ndarray | None:
    """Same as `solve_systems` for matrices given by three diagonals [..., 3, size], above, on and below the main one.

    Raises:
      LinAlgError: if a pivot is 0; `pivoting` exchanges neighboring rows.
    """
    if not diagonals.shape[:-2] == sides.shape[:-2] or diagonals.shape[-2:] != (3, sides.shape[-2]):
        return None
    return _solve("solve_tridiagonal", diagonals, sides, pivoting)


def factors(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns LU factors, L without its unit diagonal and U in one matrix [..., size, size], and the row permutation,
    int64 [..., size]; None if LAPACK must compute them.

    Raises:
      LinAlgError: if a matrix is singular or begins with NaN.
    """
    size = matrices.shape[-1]
    if matrices.dtype not in FLOATS or not 0 < size < _MIN_LAPACK_ROWS or not matrices.size:
        return None
    kernel = function(f"factor_{SUFFIXES[matrices.dtype]}")
    if kernel is None or not is_contiguous(matrices):
        return None
    result, orders = np.empty_like(matrices), np.empty(matrices.shape[:-1], np.int64)
    threads = thread_count() if matrices.size * size >= _MIN_PARALLEL_PRODUCTS else 1
    args = matrices, result, orders
    if not kernel(*args, orders.size // size, size, threads):
        raise np.linalg.LinAlgError("Singular matrix")
    return result, orders


def cholesky(matrices: np.ndarray) -> np.ndarray | None:
    """Returns the lower Cholesky factors of small matrices [..., size, size]; None if left to LAPACK, as for NaN.

    Raises:
      LinAlgError: if a matrix is not positive definite.
    """
    size = matrices.shape[-1]
    if matrices.dtype not in FLOATS or not 0 < size <= _MAX_CHOLESKY_ROWS or not matrices.size:
        return None
    kernel = function(f"cholesky_{SUFFIXES[matrices.dtype]}")
    if kernel is None or not is_contiguous(matrices):
        return None
    result = np.empty(matrices.shape, matrices.dtype)
    threads = thread_count() if matrices.size * size >= _MIN_PARALLEL_PRODUCTS else 1
    if not kernel(matrices, result, matrices.size // size**2, size, threads):
        if np.isnan(matrices).any():
            return None
        raise np.linalg.LinAlgError("Matrix is not positive definite")
    return result


def _solve(name: str, matrices: np.ndarray, sides: np.ndarray | None, *flags: bool) -> Any:
    operand = matrices if sides is None else sides
    if matrices.dtype not in FLOATS or operand.dtype != matrices.dtype or not operand.size:
        return None
    kernel = function(f"{name}_{SUFFIXES[matrices.dtype]}")
    if kernel is None:
        return None
    matrices = np.ascontiguousarray(matrices)
    if sides is not None:
        operand = sides = np.ascontiguousarray(sides)
    result = np.empty(operand.shape, operand.dtype)
    size, columns = operand.shape[-2:]
    threads = thread_count() if matrices.size * columns >= _MIN_PARALLEL_PRODUCTS else 1
    arrays = matrices, sides, result
    answer = kernel(*arrays, operand.size // (size * columns), size, columns, *flags, threads)
    if answer < 0:
        raise MemoryError
    if not answer:
        raise np.linalg.LinAlgError("Singular matrix")
    return result
