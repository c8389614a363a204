"""Values of one feature across records, as a dense tensor or as the sparse components of a ragged one."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.devices.host.example_wire import (
    BYTES,
    FLOATS,
    INTS,
    Feature,
    decode_floats,
    decode_ints,
    decode_strings,
    packed_values,
)
from tfmini._src.ops.string.string_elements import vector

KINDS = {dtypes.string: BYTES, dtypes.float32: FLOATS, dtypes.int64: INTS}


class RaggedBatch(NamedTuple):
    """The concatenated values, and the number of values in each record."""

    values: Any
    counts: Any


def gather_values(dtype: Any, records: list[tuple[bytes, Feature]]) -> RaggedBatch:
    """Returns the values of features and the record index of each value; raises Malformed."""
    if dtype is dtypes.string:
        lists = [decode_strings(data, feature) for data, feature in records]
        counts = np.fromiter(map(len, lists), np.int64, len(lists))
        return RaggedBatch(vector(chain.from_iterable(lists)), counts)
    parts = [packed_values(data, feature) for data, feature in records]
    return RaggedBatch(*(decode_floats(parts) if dtype is dtypes.float32 else decode_ints(parts)))


def empty(dtype: Any, shape: tuple) -> Any:
    """Creates an array of zeros or empty strings of the dtype of a feature."""
    if dtype is dtypes.string:
        result = np.empty(shape, object)
        result.ravel()[:] = b""
        return result
    return np.zeros(shape, dtype.as_numpy_dtype)


def fill(dtype: Any, shape: tuple, value: Any) -> Any:
    result = empty(dtype, shape)
    if value.__class__ is bytes or np.size(value):
        result[...] = value
    return result


def sparse(ragged: RaggedBatch, present: list[int], rows: int) -> tuple:
    """Returns indices, values and shape, with one row per record; `present`: the records with values."""
    values = ragged.values
    indices = np.zeros((len(values), 2), np.int64)
    if rows == 1:
        indices[:, 1] = np.arange(len(values))
        return indices, values, np.array([1, len(values)], np.int64)
    counts = ragged.counts
    if len(present) < rows:
        counts = np.zeros(rows, np.int64)
        counts[present] = ragged.counts
    if len(values):
        indices[:, 0] = np.arange(rows).repeat(counts)
        indices[:, 1] = columns(counts)
    return indices, values, np.array([rows, counts.max(initial=0)], np.int64)


def columns(counts: Any) -> Any:
    """Returns column indices 0, 1, 2, ... up to each count, concatenated."""
    if not counts.size:
        return np.empty(0, np.int64)
    ends = np.add.accumulate(counts)
    return np.arange(ends.item(-1)) - (ends - counts).repeat(counts)


def pad_rows(
    dtype: Any, ragged: RaggedBatch, present: list[int], rows: int, pad: Any, item: tuple
) -> Any:
    """Returns the items of each record, padded with the scalar `pad`: [rows, longest, *item]."""
    size = int(np.prod(item, dtype=np.int64))
    lengths = np.zeros(rows, np.int64)
    lengths[present] = ragged.counts // max(size, 1)
    result = fill(dtype, (rows, int(lengths.max(initial=0)), *item), pad)
    positions = np.repeat(np.arange(rows), lengths), columns(lengths)
    result[positions] = ragged.values.reshape(-1, *item)
    return result
