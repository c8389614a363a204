"""Reuses the memory of large freed arrays: new memory costs a page fault per 4 kB.

The C library maps new memory for each array above 32 MB, regardless of its settings.
"""

from __future__ import annotations

import mmap
import weakref
from contextlib import suppress

import numpy as np

from tfmini._src.base.locks import make_lock

_MIN_BUFFER_BYTES = 1 << 20  # bytes; smaller arrays use the heap
_MAX_FREE = 1 << 30
_STEP = 1 << 20  # size granularity


class ArrayPool:
    """Pool of arrays that reuses the memory of unreferenced ones."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._free: list[mmap.mmap] = []  # most recently used last

    def empty(self, count: int, dtype: np.dtype) -> np.ndarray:
        """Returns an uninitialized flat array of `count` elements."""
        size = -(-count * dtype.itemsize // _STEP) * _STEP
        if size <= _MIN_BUFFER_BYTES or dtype.hasobject:
            return np.empty(count, dtype)
        memory = self._reuse(size) or _new(size)
        array = np.frombuffer(memory, dtype, count)
        weakref.finalize(array, self._give_back, memory).atexit = False
        return array

    def copy(self, values: np.ndarray) -> np.ndarray:
        """Returns a flat copy of an array."""
        result = self.empty(values.size, values.dtype)
        np.copyto(result.reshape(values.shape), values)
        return result

    def _reuse(self, size: int) -> mmap.mmap | None:
        with self._lock:
            for memory in reversed(self._free.copy()):
                if len(memory) == size:
                    with suppress(ValueError):  # `_give_back` has released it in the meantime
                        self._free.remove(memory)
                        return memory
        return None

    def _give_back(self, memory: mmap.mmap) -> None:
        # Lock-free, because the last reference may be dropped while this thread holds the lock.
        self._free.append(memory)
        while len(self._free) > 1 and sum(map(len, self._free)) > _MAX_FREE:
            try:
                self._free.pop(0)
            except IndexError:
                return


def _new(size: int) -> mmap.mmap:
    memory = mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
