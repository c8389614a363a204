"""result_arrays: arrays for the results of recorded loop iterations, reused by later ones.

Every iteration returns new arrays. CuPy's allocations take more host time than the rest of an iteration, so arrays are
pooled, and reused when nothing else refers to them or to their memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from sys import getrefcount
from typing import Any

from tfmini._src.devices.arrays import Array, ArrayModule

_MAX_BYTES = 32 << 20  # maximum bytes retained for the results of a graph


class _PooledArray:
    """A pooled array, and its reference counts when unused.

    Views refer to the array or its pointer; pointers to later elements refer to the pointer's memory.
    """

    __slots__ = ("array", "to_array", "to_pointer", "to_memory")

    def __init__(self, array: Array):
        self.array: Any = array  # CuPy's
        self.to_array = self.to_pointer = self.to_memory = 0

    def count(self) -> None:
        """Records the reference counts of the unused array."""
        self.to_array = getrefcount(self.array)
        self.to_pointer = getrefcount(self.array.data)
        self.to_memory = getrefcount(self.array.data.mem)

    def is_unused(self) -> bool:
        return (
            getrefcount(self.array) == self.to_array
            and getrefcount(self.array.data) == self.to_pointer
            and getrefcount(self.array.data.mem) == self.to_memory
        )


class ResultArrays:
    """Pool of at most `max_arrays` uninitialized arrays with the layout of `template`, a contiguous array."""

    def __init__(self, xp: ArrayModule, template: Array, max_arrays: int):
        self._xp = xp
        self._template = template
        self._shape = template.shape
        self._max_arrays = max_arrays if template.nbytes else 0
        self._entries: deque[_PooledArray] = deque()

    def take(self) -> Array:
        """Returns an unused array; must not be called during recording."""
        entries = self._entries
        if entries and entries[0].is_unused():
            array: Array = entries[0].array
            entries.rotate(-1)
            if array.shape == self._shape:  # a program may have reshaped a fetched array
                return array
        return self._next_array()

    def _next_array(self) -> Array:
        entries = self._entries
        entries.rotate(-1)  # the first array may be in use for a long time
        if len(entries) >= self._max_arrays:
            return self._xp.empty_like(self._template)
        new = _PooledArray(self._xp.empty_like(self._template))
        new.count()
        entries.append(new)
        array: Array = new.array
        return array

    def unused_bytes(self) -> int:
        """Returns the number of bytes held only for later iterations."""
        return self._template.nbytes * sum(entry.is_unused() for entry in self._entries)


def result_arrays(xp: ArrayModule, results: Sequence[Array]) -> list[ResultArrays]:
    """Returns a pool of arrays for each result of an iteration."""
    total = sum(result.nbytes for result in results)
    return [ResultArrays(xp, result, _MAX_BYTES // max(1, total)) for result in results]
