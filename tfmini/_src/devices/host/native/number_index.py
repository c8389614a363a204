"""Positions of integers among distinct keys, by a hash table."""

from __future__ import annotations

import ctypes

import numpy as np

from tfmini._src.devices.host.native.library import Pointer, address, function

_INDEX = ctypes.c_int64


class NumberIndex:
    """Positions of integers in a vector of distinct keys.

    Args:
      keys: int64 vector, fewer than 2^31 elements, that does not change.
    """

    def __init__(self, keys: np.ndarray):
        self._mask = (1 << (2 * keys.size).bit_length()) - 1
        self._keys = np.ascontiguousarray(keys)
        self._places = np.full(self._mask + 1, -1, np.int32)
        place = function("place_numbers", Pointer, ctypes.c_int32, Pointer, _INDEX)
        if place is not None:
            place(address(self._keys), keys.size, address(self._places), self._mask)

    def find(self, elements: np.ndarray) -> np.ndarray | None:
        """The position of each element's key, -1 without one; None without the native library.

        Args:
          elements: int64 array.
        """
        positions = function(
            "positions_of_numbers", Pointer, _INDEX, Pointer, Pointer, Pointer, _INDEX
        )
        if positions is None:
            return None
        elements = np.ascontiguousarray(elements)
        result = np.empty(elements.shape, np.int64)
        tables = address(self._keys), address(self._places), self._mask
        positions(address(elements), elements.size, address(result), *tables)
        return result
