"""QR decompositions and eigenvalues of many small matrices in one call."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import function, is_contiguous
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_MULTIPLICATIONS = 1 << 15
_MAX_ELEMENTS = 1 << 16  # matrix elements; above, LAPACK's blocked algorithms are faster


def qr(matrices: np.ndarray, full: bool) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns q [..., rows, inner] and r [..., inner, columns]; None if LAPACK must compute them.

    Args:
      matrices: [..., rows, columns].
      full: whether q is square; otherwise, `inner` is the shorter side.
    """
    if not _is_supported(matrices):
        return None
    kernel = function("qr_f32")
    if kernel is None:
        return None
    *batch, rows, columns = matrices.shape
    inner = rows if full else min(rows, columns)
    q = np.empty((*batch, rows, inner), np.float32)
    r = np.empty((*batch, inner, columns), np.float32)
    count = matrices.size // (rows * columns)
    sizes = count, rows, columns, inner, _threads(matrices.size * inner)
    if not kernel(matrices, q, r, *sizes):
        raise MemoryError
    return q, r


def eigenvalues(matrices: np.ndarray) -> np.ndarray | None:
    """Returns eigenvalues [..., size], ascending, of lower triangles [..., size, size]; None if left to LAPACK."""
    if not _is_supported(matrices):
        return None
    kernel = function("eigenvalues_f32")
    if kernel is None:
        return None
    size = matrices.shape[-1]
    values = np.empty(matrices.shape[:-1], np.float32)
    args = matrices.size // size**2, size, _threads(matrices.size * size)
    return values if kernel(matrices, values, *args) else None


def _is_supported(matrices: np.ndarray) -> bool:
    rows, columns = matrices.shape[-2:]
    is_small = 0 < rows * columns <= _MAX_ELEMENTS and matrices.size > 0
    return is_small and matrices.dtype == np.float32 and is_contiguous(matrices)


def _threads(multiplications: int) -> int:
    return thread_count() if multiplications >= _MIN_PARALLEL_MULTIPLICATIONS else 1
