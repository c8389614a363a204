"""Argsort of indices on a GPU without host synchronization."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import INDEX_TYPES, THREADS, Array, as_contiguous, run
from tfmini._src.devices.cuda.scan_top_k import scan

_MAX_RANKED_ELEMENTS = 2048  # maximum positions ranked in one launch
_TILE = 2048  # positions sorted per block, as in argsort.cu


def stable_order(xp: ArrayModule, positions: Array, extent: int) -> tuple[Array, Array]:
    """Returns sorted positions, clamped to `extent` if out of range, and their original indices; int64 [count].

    The sort is stable. `positions` is a vector of int32 or int64.
    """
    positions = as_contiguous(xp, positions)
    count = positions.size
    sorted_places, order = xp.empty(count, np.int64), xp.empty(count, np.int64)
    if not count:
        return sorted_places, order
    if count <= _MAX_RANKED_ELEMENTS:
        kernel = f"rank_{INDEX_TYPES[positions.dtype.name]}"
        grid = (-(-count // THREADS),)
        run(xp, "argsort", kernel, grid, (THREADS,), positions, sorted_places, order, count, extent)
        return sorted_places, order
    blocks = -(-count // _TILE)
    previous_positions: Any = np.uint64(0)  # null: the positions in their original order
    for shift in range(0, max(1, extent.bit_length()), 8):
        name, digit = INDEX_TYPES[positions.dtype.name], (count, extent, shift)
        counts = xp.empty(256 * blocks, np.int32)
        run(xp, "argsort", f"count_digits_{name}", (blocks,), (THREADS,), positions, counts, *digit)
        starts = scan(xp, "cumsum", counts, 0, exclusive=True)
        buffers = (xp.empty(count, np.int64), xp.empty(count, np.int64))
        arrays = (positions, previous_positions, starts, *buffers)
        run(xp, "argsort", f"move_digits_{name}", (blocks,), (THREADS,), *arrays, *digit)
        positions, previous_positions = buffers
    return positions, previous_positions
