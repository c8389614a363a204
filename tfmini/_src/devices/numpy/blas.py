"""Matrix products on the process's thread pool."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native import matmul as native
from tfmini._src.devices.host.native.elementwise_program import outer
from tfmini._src.devices.host.onednn import matmul as onednn
from tfmini._src.devices.host.threads import part_bounds, run_parts, thread_count

# Minimum multiplications; for fewer, one thread is as fast.
_MIN_PARALLEL_MULTIPLICATIONS = 4_000_000
# Multiplications that the calling thread completes before another wakes up; its part is larger by this number.
_HEAD_START = 1_000_000


def is_large(rows: int, inner: int, columns: int) -> bool:
    """Whether a product of these sizes is large enough for several threads."""
    return rows * inner * columns >= _MIN_PARALLEL_MULTIPLICATIONS


def product(a: Any, b: Any) -> Array:
    """Returns `a @ b` of two matrices; a large product is divided along the longer side of the result."""
    rows, inner = a.shape
    columns = b.shape[1]
    if inner == 1 == b.shape[0]:  # one multiplication per element is twice as fast as BLAS
        if (result := outer(a, b)) is not None:
            return result
        result = a * b
        result += 0  # makes zeros positive, as in a sum
        return result
    if (fast := onednn.product(a, b)) is not None:
        return fast
    parts = thread_count()
    if parts == 1 or inner != b.shape[0]:
        return a @ b
    if rows * inner * columns < _MIN_PARALLEL_MULTIPLICATIONS:
        is_divided = a.dtype == np.float32 and native.is_divided_unpacked(rows, inner, columns)
        return product_without_packing(a, b) if is_divided else a @ b
    # One pass over the matrix: one thread nearly saturates memory bandwidth.
    if min(rows, columns) == 1:
        return a @ b
    if (threaded_product := native.product(a, b)) is not None:
        return threaded_product
    result = np.empty((rows, columns), np.result_type(a, b))
    splits_rows = rows >= columns
    size = rows if splits_rows else columns
    bounds = part_bounds(size, parts, _HEAD_START * size // (rows * inner * columns))

    def work(part: int) -> None:
        selected = slice(bounds[part], bounds[part + 1])
        if splits_rows:
            np.matmul(a[selected], b, result[selected])
        else:
            np.matmul(a, b[:, selected], result[:, selected])

    run_parts(work, parts)
    return result


def product_without_packing(a: Array, b: Array) -> Array:
    """Returns `a @ b` of float32 matrices with sizes for which `is_divided_unpacked` is true."""
    result = native.product(a, b) if b.strides[1] == b.itemsize else None
    return a @ b if result is None else result


def batch_product(a: Array, b: Array) -> Array:
    """Returns `a @ b` of batches of matrices; equal batches that are large together are divided among the threads."""
    multiplications = a.size * b.shape[-1]
    if thread_count() > 1 and multiplications >= _MIN_PARALLEL_MULTIPLICATIONS and a.ndim == b.ndim:
        if (threaded_product := native.batch_product(a, b)) is not None:
            return threaded_product
    return np.matmul(a, b)


def product_with_epilogue(a: Any, b: Any, bias: Any, activation: int, features: Any) -> Any:
    """Returns `a @ b` with an epilogue; arguments as in `native.product`; None if they must be computed separately."""
    if onednn.is_supported(a, b):
        return None
    return native.product(a, b, bias, activation, features)
