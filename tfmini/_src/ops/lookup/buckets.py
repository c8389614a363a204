"""Buckets of a dense table; the search for a key starts at its hash and probes in steps of 1, 2, 3 ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.devices.host.native import number_buckets
from tfmini._src.devices.numpy.string_hashes import murmur_hashes

_WORD = (1 << 64) - 1


def buckets_for(key_dtype: Any, keys: np.ndarray, empty: np.ndarray, deleted: np.ndarray) -> Any:
    """Returns buckets for `keys` [a power of two, key size]; `empty` and `deleted` mark empty and deleted buckets."""
    is_number = key_dtype.is_integer and keys.shape[1] == 1
    if is_number and number_buckets.is_available():
        return NumberBuckets(keys, empty, deleted)
    return TupleBuckets(key_dtype is dtypes.string, keys, empty, deleted)


class NumberBuckets:
    """Buckets for keys that are single integers."""

    def __init__(self, keys: np.ndarray, empty: np.ndarray, deleted: np.ndarray):
        self._dtype = keys.dtype
        self._keys = keys.reshape(-1).astype(np.int64)
        self._empty, self._deleted = int(empty[0]), int(deleted[0])

    def keys(self) -> np.ndarray:
        """Returns the keys in all buckets as [buckets, key size]."""
        return self._keys.astype(self._dtype).reshape(-1, 1)

    def find(self, keys: np.ndarray) -> np.ndarray:
        """Finds the bucket of each key, [keys, key size]; -1 for missing keys."""
        return number_buckets.find_buckets(self._plain(keys), self._keys, self._empty)

    def put(self, keys: np.ndarray) -> tuple[np.ndarray, int]:
        """Inserts keys; returns the bucket of each key and the number of new keys."""
        return number_buckets.claim_buckets(
            self._plain(keys), self._keys, self._empty, self._deleted
        )

    def delete(self, positions: np.ndarray) -> None:
        """Marks buckets as deleted."""
        self._keys[positions] = self._deleted

    def _plain(self, keys: np.ndarray) -> np.ndarray:
        return keys.reshape(-1).astype(np.int64, copy=False)


class TupleBuckets:
    """Buckets for keys that are strings, vectors or floats, with the methods of `NumberBuckets`."""

    def __init__(self, are_strings: bool, keys: np.ndarray, empty: np.ndarray, deleted: np.ndarray):
        self._are_strings = are_strings
        self._keys, self._deleted_key = keys.copy(), deleted
        self._empty, self._deleted = tuple(empty.tolist()), tuple(deleted.tolist())
        used = np.flatnonzero((keys != empty).any(1))
        self._used = dict(zip(used.tolist(), map(tuple, keys[used].tolist())))  # by bucket

    def keys(self) -> np.ndarray:
        return self._keys.copy()

    def find(self, keys: np.ndarray) -> np.ndarray:
        probes = (self._probe(tuple(key), (self._empty,)) for key in keys.tolist())
        return np.array([position if is_there else -1 for position, is_there in probes], np.int64)

    def put(self, keys: np.ndarray) -> tuple[np.ndarray, int]:
        positions, added_count = np.empty(len(keys), np.int64), 0
        for index, key in enumerate(map(tuple, keys.tolist())):
            position, is_there = self._probe(key, (self._empty, self._deleted))
            added_count += not is_there
            self._used[position] = key
            positions[index] = position
        self._keys[positions] = keys
        return positions, added_count

    def delete(self, positions: np.ndarray) -> None:
        self._keys[positions] = self._deleted_key
        self._used.update(dict.fromkeys(positions.tolist(), self._deleted))

    def _hash(self, key: tuple) -> int:
        if self._are_strings:
            hashes = [int(value) for value in murmur_hashes(np.array(key, object))]
        else:
            hashes = [int(value) & _WORD for value in key]
        if len(hashes) == 1:
            return hashes[0]
        result = 0
        for value in hashes:
            hash_input = value + 0x9E3779B97F4A7800 + (result << 10) + (result >> 4)
            result ^= hash_input & _WORD
        return result

    def _probe(self, key: tuple, stops: tuple) -> tuple[int, bool]:
        """Searches for a key; returns (its bucket, True), or (the first bucket with one of `stops`, False)."""
        mask = len(self._keys) - 1
        position = self._hash(key) & mask
        for step in range(1, len(self._keys) + 1):
            stored = self._used.get(position, self._empty)
            if stored == key:
                return position, True
            if stored in stops:
                return position, False
            position = (position + step) & mask
        return -1, False
