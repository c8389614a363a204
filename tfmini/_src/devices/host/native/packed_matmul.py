"""Products with a right-hand matrix that is packed only once."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import address, function, is_contiguous
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_MULTIPLICATIONS = 1 << 22


def is_available() -> bool:
    """Whether the library that packs matrices is available."""
    return function("pack") is not None


def pack_matrix(b: Any, is_transposed: bool) -> np.ndarray | None:
    """Packs `b`, or its transpose if `is_transposed`, as the right matrix of `product`; None without a library."""
    kernel = function("pack")
    if kernel is None or b.ndim != 2 or b.dtype != np.float32 or not b.size:
        return None
    width, step = b.strides
    if step != b.itemsize or width < b.shape[1] * step or width % step or not b.flags.aligned:
        return None
    inner, columns = reversed(b.shape) if is_transposed else b.shape
    size: Any = function("packed_size")
    result = np.empty(size(inner, columns), np.float32)
    kernel(
        address(b), width // step, is_transposed, inner, columns, address(result), thread_count()
    )
    return result


def product(a: Any, columns: int, panels: np.ndarray, bias: Any = None) -> np.ndarray | None:
    """Returns `a @ b [+ bias]`, [rows, columns], for b in `panels` of `pack_matrix`; None if NumPy must multiply."""
    if bias is not None and not is_bias(bias, columns):
        return None
    if not is_contiguous(a) or a.ndim != 2 or a.dtype != np.float32 or not a.size:
        return None
    rows, inner = a.shape
    kernel: Any = function("packed_product")
    result = np.empty((rows, columns), np.float32)
    threads = thread_count() if rows * inner * columns >= _MIN_PARALLEL_MULTIPLICATIONS else 1
    arrays = address(panels), None if bias is None else address(bias), address(result)
    if not kernel(address(a), inner, rows, inner, columns, *arrays, threads):
        raise MemoryError
    return result


def is_bias(array: Array, columns: int) -> bool:
    """Whether an array is a vector that can be added to the rows of a product."""
    return is_contiguous(array) and array.shape == (columns,) and array.dtype == np.float32
