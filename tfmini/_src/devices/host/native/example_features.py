"""Features of tf.train.Example records, read from the wire format for a whole batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.devices.host.example_wire import BYTES, FLOATS, INTS
from tfmini._src.devices.host.native.library import address
from tfmini._src.devices.host.native.strings import call_kernel

_DTYPES = {BYTES: np.dtype(object), FLOATS: np.dtype("<f4"), INTS: np.dtype(np.int64)}


def read_features(
    records: Sequence[bytes], keys: Sequence[bytes], kinds: Sequence[int]
) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """The values of each feature in all records, concatenated, and their count per record, -1 if the feature is
    missing.

    Args:
      records: serialized Examples.
      keys: distinct feature names.
      kinds: BYTES, FLOATS or INTS, one per key.

    Returns:
      (values, counts [records]) per key; None without the native library, and for records that are
      malformed, have a feature of another kind, or are encoded in a way that writers do not use.
    """
    strings, names = _object_array(records), _object_array(keys)
    shape = len(records), len(keys)
    positions, sizes, counts = (np.empty(shape, np.int64) for _ in range(3))
    kind_codes = np.array(kinds, np.int64)
    tables = address(sizes), address(counts)
    args = address(kind_codes), len(keys)
    if not call_kernel("locate_features", strings, positions, *tables, address(names), *args):
        return None
    totals = np.maximum(counts, 0).sum(axis=0).tolist()
    values = [np.empty(total, _DTYPES[kind]) for total, kind in zip(totals, kinds)]
    results = np.array([address(array) for array in values], np.int64)
    if not call_kernel("read_features", strings, positions, *tables, address(results), *args):
        return None
    return list(zip(values, counts.T))


def _object_array(strings: Sequence[Any]) -> np.ndarray:
    return np.fromiter(strings, object, len(strings))
