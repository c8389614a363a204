"""Edit distances between pairs of sequences."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import address, function
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 14
_Sequences = tuple[np.ndarray, np.ndarray]


def distances(a: _Sequences, b: _Sequences, normalize: bool) -> np.ndarray | None:
    """Returns the float32 distance of each pair, with `normalize` divided by the length in `b`; None if unavailable.

    `a` and `b` consist of the elements of all sequences, and int64 offsets of the sequences, including the end.
    """
    kernel = function("edit_distances")
    pairs = len(a[1]) - 1
    if kernel is None or max(len(a[0]), len(b[0])) >= 1 << 31:
        return None
    result = np.empty(pairs, np.float32)
    threads = thread_count() if len(a[0]) + len(b[0]) >= _MIN_PARALLEL_ELEMENTS else 1
    args = *map(address, (*a, *b)), pairs, normalize, address(result)
    return result if kernel(*args, threads) else None
