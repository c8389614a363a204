"""The extremes of rows, and sums of rows that share an id."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tfmini.backend.native.library import SUFFIXES, Pointer, address, function, run_rows

_INDEX = ctypes.c_int64
_LIMITS = {"float32": ctypes.c_float, "float64": ctypes.c_double}
_FEW = 1 << 12  # elements: below, numpy's calls cost less than addresses do
_PARALLEL = 1 << 20
_IDS = ("int32", "int64")


def extremes(reduce: str, matrix: np.ndarray, limit: Any) -> np.ndarray | None:
    """The `reduce` ("maximum", "minimum", "fmax", "fmin") of each row and `limit`; None where numpy computes it."""
    name = matrix.dtype.name
    if matrix.size < _FEW or name not in _LIMITS or not matrix.flags.c_contiguous:
        return None
    types = (Pointer, Pointer, _INDEX, _INDEX, _INDEX, _LIMITS[name])
    kernel = function(f"{reduce}_rows_{SUFFIXES[name]}", *types)
    if kernel is None:
        return None
    rows, columns = matrix.shape
    result = np.empty(rows, matrix.dtype)
    given, wanted = address(matrix), address(result)
    run_rows(lambda b, e: kernel(given, wanted, b, e, columns, limit), rows, matrix.size, _PARALLEL)
    return result


def add_rows(array: np.ndarray, ids: np.ndarray, rows: np.ndarray) -> bool:
    """`array[ids[i]] += rows[i]` in the order of i, ids in range; False, with nothing changed, where numpy does it."""
    kernel = _adding(rows, ids) if rows.dtype == array.dtype and array.flags.c_contiguous else None
    if kernel is None:
        return False
    columns = rows.size // len(ids)
    kernel(address(rows), address(ids), address(array), len(ids), columns, 0, columns)
    return True


def sum_rows(rows: np.ndarray, ids: np.ndarray, count: int) -> np.ndarray | None:
    """[count, ...] array whose row i is the sum of the rows with id i in their order; None where numpy computes it."""
    if _adding(rows, ids) is None:
        return None
    result = np.zeros((count, *rows.shape[1:]), rows.dtype)
    add_rows(result, ids, rows)
    return result


def _adding(rows: np.ndarray, ids: np.ndarray) -> Any:
    """The kernel for rows and ids of these types; None where numpy adds them."""
    known = rows.dtype.name in SUFFIXES and ids.dtype.name in _IDS and ids.ndim == 1
    if rows.size < _FEW or not (known and rows.flags.c_contiguous and ids.flags.c_contiguous):
        return None
    name = f"add_rows_{SUFFIXES[ids.dtype.name]}_{SUFFIXES[rows.dtype.name]}"
    return function(name, Pointer, Pointer, Pointer, _INDEX, _INDEX, _INDEX, _INDEX)
