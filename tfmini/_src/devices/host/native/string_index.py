"""An index that maps distinct bytes objects to positions."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.key_index import KeyIndex
from tfmini._src.devices.host.native.library import address, function
from tfmini._src.devices.host.native.strings import call_kernel, reads_bytes


class StringIndex(KeyIndex):
    """Maps bytes keys to positions."""

    key_dtype = object

    def __init__(self) -> None:
        super().__init__()
        self._fingerprints = np.empty(self.capacity, np.uint64)

    @staticmethod
    def is_available() -> bool:
        return reads_bytes("find_strings")

    def find(self, elements: np.ndarray) -> np.ndarray:
        """Returns the position of each element, -1 if it is not a key."""
        return self._positions("find_strings", elements)

    def add(self, elements: np.ndarray) -> np.ndarray:
        """Returns the position of each element, adding missing keys."""
        self._reserve(elements.size)
        return self._positions("add_strings", elements, *self._changes())

    def remove(self, elements: np.ndarray) -> None:
        """Removes elements that are keys."""
        positions = self._positions("remove_strings", elements, *self._changes())
        self._keys[positions[positions >= 0]] = None

    def _changes(self) -> tuple[np.ndarray, np.ndarray]:
        return self._counts, self._spares

    def _positions(self, name: str, elements: np.ndarray, *changes: np.ndarray) -> np.ndarray:
        elements = np.ascontiguousarray(elements)
        result = np.empty(elements.shape, np.int64)
        args: tuple[int | np.ndarray, ...] = (
            self._keys,
            self._fingerprints,
            *self._table(),
            *changes,
        )
        if not call_kernel(name, elements, result, *args):
            # Objects of a subclass, such as numpy.bytes_.
            plain = np.array([bytes(element) for element in elements.flat] or [b""], object)
            assert call_kernel(name, plain[: elements.size], result, *args)
        return result

    def _rehash(self, capacity: int, count: int) -> None:
        self._fingerprints = self._enlarge(self._fingerprints)
        move = function("move_strings")
        assert move is not None
        move(capacity, count, address(self._fingerprints), *self._table())
