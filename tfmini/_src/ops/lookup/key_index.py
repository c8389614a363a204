"""Index from the keys of a table to positions among its values, in the native library or a dict."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.devices.host.native.number_index import NumberIndex
from tfmini._src.devices.host.native.string_index import StringIndex

_NATIVE: dict[Any, Any] = {
    dtypes.string: StringIndex,
    dtypes.int32: NumberIndex,
    dtypes.int64: NumberIndex,
}


def array_dtype(dtype: Any) -> Any:
    """Returns the dtype of arrays of keys or values."""
    return object if dtype is dtypes.string else dtype.as_numpy_dtype


def index_for(key_dtype: Any) -> Any:
    """Returns an empty index for keys of a dtype."""
    native = _NATIVE.get(key_dtype)
    return native() if native is not None and native.is_available() else DictIndex(key_dtype)


class DictIndex:
    """Positions of keys of any dtype, with the methods of `KeyIndex`."""

    def __init__(self, key_dtype: Any):
        self._key_dtype = array_dtype(key_dtype)
        self._positions: dict[Any, int] = {}
        self._spares: list[int] = []

    def __len__(self) -> int:
        return len(self._positions)

    @property
    def capacity(self) -> int:
        return len(self._positions) + len(self._spares)

    def positions(self) -> np.ndarray:
        return np.fromiter(self._positions.values(), np.int64, len(self))

    def keys(self) -> np.ndarray:
        return np.fromiter(self._positions, self._key_dtype, len(self))

    def find(self, elements: np.ndarray) -> np.ndarray:
        positions = map(self._positions.get, elements.ravel().tolist(), itertools.repeat(-1))
        return np.fromiter(positions, np.int64, elements.size).reshape(elements.shape)

    def add(self, elements: np.ndarray) -> np.ndarray:
        positions = self._positions
        for key in elements.ravel().tolist():
            if key not in positions:
                positions[key] = self._spares.pop() if self._spares else len(positions)
        return self.find(elements)

    def remove(self, elements: np.ndarray) -> None:
        for key in elements.ravel().tolist():
            position = self._positions.pop(key, None)
            if position is not None:
                self._spares.append(position)
