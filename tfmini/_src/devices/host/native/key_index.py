"""Growing hash tables that map distinct keys to positions in the caller's value arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.host.native.library import address

_FIRST_CAPACITY = 8


class KeyIndex:
    """Maps distinct keys to positions. A new key is assigned the position of a removed key, else the next position.

    A subclass calls the kernels for its key type. Calls that change the index must not overlap with other calls.

    Attributes:
      capacity: the exclusive upper bound of positions.
    """

    key_dtype: Any

    def __init__(self) -> None:
        self.capacity = _FIRST_CAPACITY
        # The number of positions ever used, and the number of these that are free.
        self._counts = np.zeros(2, np.int64)
        self._keys = np.empty(self.capacity, self.key_dtype)
        self._spares = np.empty(self.capacity, np.int32)
        self._places = self._free_indices()

    def __len__(self) -> int:
        return int(self._counts[0] - self._counts[1])

    def positions(self) -> np.ndarray:
        """Returns the positions of all keys, ascending."""
        size, spare = self._counts
        is_used = np.ones(size, np.bool_)
        is_used[self._spares[:spare]] = False
        return np.flatnonzero(is_used)

    def keys(self) -> np.ndarray:
        """Returns all keys in the order of their positions."""
        size, spare = self._counts.tolist()
        return self._keys[self.positions()] if spare else self._keys[:size].copy()

    def _free_indices(self) -> np.ndarray:
        return np.full(1 << (2 * self.capacity).bit_length(), -1, np.int32)

    def _table(self) -> tuple[np.ndarray, int]:
        """Returns the hash table and its mask, as arguments of the kernels."""
        return self._places, self._places.size - 1

    def _reserve(self, count: int) -> None:
        """Grows the table to accommodate `count` more keys."""
        required = int(self._counts[0]) + count
        if required <= self.capacity:
            return
        self.capacity = max(required, 2 * self.capacity)
        self._keys, self._spares = self._enlarge(self._keys), self._enlarge(self._spares)
        old, self._places = self._places, self._free_indices()
        self._rehash(address(old), old.size)

    def _enlarge(self, array: np.ndarray) -> np.ndarray:
        result = np.empty(self.capacity, array.dtype)
        result[: array.size] = array
        return result

    def _rehash(self, capacity: int, count: int) -> None:
        """Rehashes the keys at the first `count` positions into a table of the given capacity."""
        raise NotImplementedError
