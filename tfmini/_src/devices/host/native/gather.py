"""Gathers slices by points on the first axes or by index along an axis; one-hot codes."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np

from tfmini._src.devices.host.native.library import (
    IDS,
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_BYTES = 1 << 17
_MAX_COPIED_BYTES = 1 << 14  # maximum bytes of a table that is copied to make it contiguous
_MIN_ONE_HOT_BYTES = 1 << 16  # minimum bytes of one-hot codes; for fewer, NumPy's calls are faster


def _is_supported(table: np.ndarray, ids: np.ndarray) -> bool:
    supported = ids.dtype in IDS and not table.dtype.hasobject
    return supported and table.size > 0 and is_contiguous(table) and is_contiguous(ids)


@cache
def _kernel_for_ids(name: str, dtype: np.dtype) -> Callable[..., bool] | None:
    return function(f"{name}_{SUFFIXES[dtype]}")


def _threads(result: np.ndarray) -> int:
    return thread_count() if result.nbytes >= _MIN_PARALLEL_BYTES else 1


def take_points(table: np.ndarray, points: np.ndarray) -> np.ndarray | None:
    """Gathers slices [..., slice] from `table` at points [..., depth] on its first axes.

    Returns None if NumPy must gather them, or a point is out of range.
    """
    if table.nbytes < _MAX_COPIED_BYTES and not table.flags.c_contiguous:
        table = table.copy()
    if not points.size or not _is_supported(table, points):
        return None
    if not 0 < points.shape[-1] <= table.ndim:
        return None
    kernel = _kernel_for_ids("take_points", points.dtype)
    if kernel is None:
        return None
    shape, depth = table.shape, points.shape[-1]
    result = np.empty(points.shape[:-1] + shape[depth:], table.dtype)
    width = math.prod(shape[depth:]) * table.itemsize
    args = table, points, result, _pack_sizes(shape[:depth])
    in_range = kernel(*args, depth, points.size // depth, width, _threads(result))
    return result if in_range else None


@lru_cache(maxsize=1024)
def _pack_sizes(sizes: tuple[int, ...]) -> bytes:
    return struct.pack(f"{len(sizes)}q", *sizes)


def number_points(points: np.ndarray, shape: tuple[int, ...]) -> np.ndarray | None:
    """Returns an int64 vector of the flattened slice indices of points [..., depth] on the first axes of `shape`.

    Returns None if NumPy must compute them, or a point is out of range.
    """
    depth = points.shape[-1]
    if points.dtype not in IDS or not is_contiguous(points) or not 0 < depth <= len(shape):
        return None
    kernel = _kernel_for_ids("number_points", points.dtype)
    if kernel is None:
        return None
    result = np.empty(points.size // depth, np.int64)
    in_range = kernel(points, result, _pack_sizes(shape[:depth]), depth, result.size)
    return result if in_range else None


def take_along(table: np.ndarray, ids: np.ndarray, axis: int, batch_dims: int) -> np.ndarray | None:
    """Gathers from `table` at `ids` along an axis; the first `batch_dims` axes of both are batch axes.

    Returns None if NumPy must gather them, or an id is out of range.
    """
    if not _is_supported(table, ids):
        return None
    kernel = _kernel_for_ids("take_along", ids.dtype)
    if kernel is None:
        return None
    if (
        not 0 <= batch_dims <= axis < table.ndim
        or table.shape[:batch_dims] != ids.shape[:batch_dims]
    ):
        return None
    shape, inner = table.shape, ids.shape[batch_dims:]
    result = np.empty((*shape[:axis], *inner, *shape[axis + 1 :]), table.dtype)
    batches, outer = math.prod(shape[:batch_dims]), math.prod(shape[batch_dims:axis])
    width = math.prod(shape[axis + 1 :]) * table.itemsize
    args = table, ids, result
    sizes = batches, outer, shape[axis], math.prod(inner), width
    return result if kernel(*args, *sizes, _threads(result)) else None


def one_hot(
    codes: np.ndarray,
    outer: int,
    depth: int,
    inner: int,
    on_value: np.ndarray,
    off_value: np.ndarray,
) -> np.ndarray | None:
    """Returns a vector of outer * depth * inner elements, `on_value` at [o, codes[o, i], i] and `off_value` elsewhere.

    The values are scalars of one dtype; `codes` contains outer * inner int64 numbers, and codes out of range are
    ignored. Returns None if NumPy must compute it.
    """
    dtype = on_value.dtype
    size = outer * depth * inner
    if size * dtype.itemsize < _MIN_ONE_HOT_BYTES or dtype.hasobject or not is_contiguous(codes):
        return None
    if dtype.itemsize not in (4, 8) or off_value.dtype != dtype or codes.dtype != np.int64:
        return None
    kernel = function(f"one_hot_{8 * dtype.itemsize}")
    if kernel is None or codes.size != outer * inner:
        return None
    result = np.empty(size, dtype)
    bits = [int(value.view(f"u{dtype.itemsize}")) for value in (on_value, off_value)]
    kernel(codes, result, outer, depth, inner, *bits, _threads(result))
    return result
