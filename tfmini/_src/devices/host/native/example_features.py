"""Features of tf.train.Example records, read from the wire format for a whole batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.host.example_wire import BYTES, FLOATS, INTS
from tfmini._src.devices.host.native.library import address
from tfmini._src.devices.host.native.strings import call_kernel

_DTYPES = {BYTES: np.dtype(object), FLOATS: np.dtype("<f4"), INTS: np.dtype(np.int64)}


class Table(NamedTuple):
    """Features to read: an object array of names, and an int64 array of kinds: BYTES, FLOATS or INTS."""

    names: np.ndarray
    kinds: np.ndarray


def feature_table(keys: Sequence[bytes], kinds: Sequence[int]) -> Table:
    """Returns the table of distinct feature names and their kinds."""
    return Table(_object_array(keys), np.array(kinds, np.int64))


def read_features(
    records: Sequence[bytes], table: Table
) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """Reads each feature from all records: the concatenated values, and the number of values per record, -1 if the
    feature is missing.

    Args:
      records: serialized Examples.
      table: the features.

    Returns:
      (values, counts [records]) per feature; None without the native library, or if a record is malformed, has
      a feature of another kind, or is encoded in a way that writers do not use.
    """
    strings, names = _object_array(records), table.names
    positions, sizes, counts = np.empty((3, len(records), len(names)), np.int64)
    tables = address(sizes), address(counts)
    args = address(table.kinds), len(names)
    if not call_kernel("locate_features", strings, positions, *tables, address(names), *args):
        return None
    totals = np.add.reduce(np.maximum(counts, 0), 0).tolist()
    values = [np.empty(total, _DTYPES[kind]) for total, kind in zip(totals, table.kinds.tolist())]
    results = np.array([address(array) for array in values], np.int64)
    if not call_kernel("read_features", strings, positions, *tables, address(results), *args):
        return None
    return list(zip(values, counts.T))


def _object_array(strings: Sequence[Any]) -> np.ndarray:
    return np.fromiter(strings, object, len(strings))
