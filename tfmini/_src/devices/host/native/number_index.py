"""An index that maps distinct integers to positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from tfmini._src.devices.host.native.key_index import KeyIndex
from tfmini._src.devices.host.native.library import address, function


@cache
def _required_kernel(name: str) -> Callable[..., None]:
    kernel = function(name)
    assert kernel is not None, "NumberIndex needs the native library"
    return kernel


class NumberIndex(KeyIndex):
    """Maps int64 keys to positions."""

    key_dtype = np.int64

    @staticmethod
    def is_available() -> bool:
        return function("find_numbers") is not None

    def find(self, elements: np.ndarray) -> np.ndarray:
        """Returns the position of each element, -1 if it is not a key."""
        elements = np.ascontiguousarray(elements, np.int64)
        result = np.empty(elements.shape, np.int64)
        args = address(elements), elements.size, address(result), address(self._keys)
        _required_kernel("find_numbers")(*args, *self._table())
        return result

    def add(self, elements: np.ndarray) -> np.ndarray:
        """Returns the position of each element, adding missing keys."""
        elements = np.ascontiguousarray(elements, np.int64)
        result = np.empty(elements.shape, np.int64)
        self._reserve(elements.size)
        args = address(elements), elements.size, address(result), address(self._keys)
        changes = address(self._counts), address(self._spares)
        _required_kernel("add_numbers")(*args, *self._table(), *changes)
        return result

    def remove(self, elements: np.ndarray) -> None:
        """Removes elements that are keys."""
        elements = np.ascontiguousarray(elements, np.int64)
        args = address(elements), elements.size, address(self._keys)
        changes = address(self._counts), address(self._spares)
        _required_kernel("remove_numbers")(*args, *self._table(), *changes)

    def _rehash(self, capacity: int, count: int) -> None:
        _required_kernel("move_numbers")(capacity, count, address(self._keys), *self._table())
