"""Cache-sized row blocks of a matrix."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule

# Elements computed at a time on the CPU. They fit in the cache, and threads that hand over the GIL at every ufunc do
# not wait for it. From two blocks on, a second thread halves the time.
ROW_BLOCK = 1 << 17


def row_blocks(xp: ArrayModule, rows: Array) -> Iterable[slice]:
    """Returns cache-sized slices of a matrix's rows on the CPU; all rows at once elsewhere."""
    count, columns = rows.shape
    length = max(1, ROW_BLOCK // columns if xp is np else count)
    return (slice(first, first + length) for first in range(0, count, length))
