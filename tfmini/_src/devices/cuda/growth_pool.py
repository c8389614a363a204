"""The memory pool of a GPU whose session allows growth; it allocates ahead of demand, in growing steps.

CuPy's pool allocates exactly the requested size (cupy/cuda/memory.pyx, SingleDeviceMemoryPool), and cudaMalloc
synchronizes with the GPU: steps of changing sizes would call it for each new maximum. Each allocation therefore adds a
quarter of the total so far, which stays in the pool to be split, so the number of calls is logarithmic in the memory.
"""

from __future__ import annotations

import contextlib
from typing import Any

from tfmini._src.devices.arrays import ArrayModule

_MIN_ALLOCATION = 2 << 20  # minimum bytes that CUDA allocates
_UNIT = 512  # granularity of a pool


class GrowingPool:
    """A memory pool of the current GPU, limited to `limit_bytes`."""

    def __init__(self, cupy: ArrayModule, limit_bytes: int):
        cuda = self._cuda = cupy.cuda
        self._limit = limit_bytes
        # Number of allocations from CUDA; a list to avoid a reference cycle.
        allocations = self._allocations = [0]

        def from_device(size: int) -> Any:
            allocations[0] += 1
            return cuda.MemoryPointer(cuda.Memory(size), 0)

        self.pool = cuda.MemoryPool(from_device)
        self._handled_allocations = 0

    def malloc(self, size: int) -> Any:
        """Allocates memory like `malloc` of CuPy's pool; the stream of this pool must be current."""
        pointer = self.pool.malloc(size)
        if self._allocations[0] != self._handled_allocations:
            self._allocate_ahead()
            self._handled_allocations = self._allocations[0]
        return pointer

    def _allocate_ahead(self) -> None:
        """Allocates memory ahead of demand if plenty is free."""
        total = self.pool.total_bytes()
        free, _ = self._cuda.runtime.memGetInfo()
        size = min(max(_MIN_ALLOCATION, total // 4), self._limit - total, free // 4)
        size -= size % _UNIT
        if size > 0:
            with contextlib.suppress(MemoryError):
                self.pool.malloc(size)  # freed immediately: the pool keeps it
