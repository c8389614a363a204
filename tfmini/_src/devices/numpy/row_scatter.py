"""Scatters rows by index, by the methods that are fastest on the CPU for many rows.

Sums are products with a sparse matrix of ones; a row to be copied is a single item for NumPy.
"""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native import rows as native
from tfmini._src.devices.host.threads import run_parts
from tfmini._src.devices.numpy import scipy

_TYPES = frozenset("fdilqFD")  # dtypes of SciPy's sparse products
_HALVES = frozenset("eE")  # float16 and bfloat16, which SciPy lacks
_MIN_ELEMENTS = 1 << 15
# If ids certainly repeat, rows of at least this width are scattered without writing any row twice; a thread
# processes this many bytes of the table.
_MIN_SORTED_BYTES = 1 << 23
_MIN_SORTED_ROW_BYTES = 256
_BLOCK = 1 << 21


def is_applicable(rows: Array, ids: Array) -> bool:
    """Whether `sum_rows` supports these arrays and is faster."""
    return (
        isinstance(rows, np.ndarray)
        and rows.size >= _MIN_ELEMENTS
        and rows.dtype.char in _TYPES
        and ids.size > 0
    )


def sum_rows(rows: np.ndarray, ids: np.ndarray, count: int) -> np.ndarray:
    """Returns a [count, ...] array whose row i sums the rows with id i, in order; ids must be in 0..count-1."""
    flat = rows.reshape(len(ids), -1)
    result = native.sum_rows(rows, ids, count)
    if result is not None:
        return result
    ones = np.ones(len(ids), rows.dtype)
    positions = (ids, np.arange(len(ids)))
    matrix = scipy.sparse.csr_matrix((ones, positions), shape=(count, len(ids)))
    return (matrix @ flat).reshape(count, *rows.shape[1:])


def add_rows(array: np.ndarray, ids: np.ndarray, rows: np.ndarray) -> None:
    """Adds `rows[i]` to `array[ids[i]]` for each i; ids must be in range."""
    if native.add_rows(array, ids, rows):
        return
    if rows.dtype.char in _HALVES:
        np.add.at(array, ids, rows)
        return
    if len(ids) * 4 >= len(array):
        array += sum_rows(rows, ids, len(array))
        return
    unique, positions = np.unique(ids, return_inverse=True)
    array[unique] += sum_rows(rows, positions, len(unique))


def set_rows(array: np.ndarray, ids: np.ndarray, rows: np.ndarray) -> None:
    """Sets `array[ids[i]] = rows[i]` for each i in turn; ids must be in range."""
    is_same_dtype = array.dtype == rows.dtype and not array.dtype.hasobject
    if not (is_same_dtype and rows.size and array.flags.c_contiguous and rows.flags.c_contiguous):
        array[ids] = rows
        return
    if native.set_rows(array, ids, rows):
        return
    width = rows.nbytes // len(ids)
    positions, new_rows = (a.reshape(len(a), -1).view(f"V{width}")[:, 0] for a in (array, rows))
    if len(ids) <= len(array) or rows.nbytes < _MIN_SORTED_BYTES or width < _MIN_SORTED_ROW_BYTES:
        positions[ids] = new_rows
        return
    # Only the last row for each position is copied, in any order.
    last = np.full(len(array), -1)
    last[ids] = np.arange(len(ids))
    length = _BLOCK // width

    def work(part: int) -> None:
        block = slice(part * length, (part + 1) * length)
        updated = np.flatnonzero(last[block] >= 0)
        positions[block][updated] = new_rows[last[block][updated]]

    run_parts(work, -(-len(array) // length))
