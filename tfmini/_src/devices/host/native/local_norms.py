"""Local response normalization in one pass."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import function, is_contiguous
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 14
_MIN_BAND_RADIUS = 32  # channels on each side; above, a product with a band matrix is faster
# Exponents that can be computed by square roots, in quarters.
_QUARTERS_BY_EXPONENT = {0.5: 2, 0.75: 3, 1.0: 4}


def normalize_locally(
    rows: np.ndarray, radius: int, bias: float, alpha: float, beta: float
) -> np.ndarray | None:
    """Returns float32 [rows, columns], `rows / (bias + alpha * s) ** beta`, where s sums the squares of elements up to
    `radius` columns away; None if NumPy must compute it.
    """
    columns = rows.shape[1]
    radius = min(radius, columns - 1)
    if radius >= _MIN_BAND_RADIUS or beta not in _QUARTERS_BY_EXPONENT or rows.dtype != np.float32:
        return None
    if not (rows.size and is_contiguous(rows)):
        return None
    kernel = function("local_norms_f32")
    if kernel is None:
        return None
    result = np.empty_like(rows)
    threads = thread_count() if rows.size >= _MIN_PARALLEL_ELEMENTS else 1
    args = *rows.shape, radius, bias, alpha, _QUARTERS_BY_EXPONENT[beta], threads
    if not kernel(rows, result, *args):
        raise MemoryError
    return result
