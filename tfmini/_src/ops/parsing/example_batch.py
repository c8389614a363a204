"""`Batch`: parsed tf.train.Example records as dense and sparse columns of features."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.example_wire import (
    KIND_NAMES,
    NO_VALUES,
    ExampleReader,
    Feature,
    MalformedRecordError,
)
from tfmini._src.devices.host.native.example_features import Table, feature_table, read_features
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.parsing.feature_batches import (
    KINDS,
    RaggedBatch,
    fill,
    gather_values,
    pad_rows,
    sparse,
)

_NO_COUNTS = np.empty(0, np.int64)  # counts of no records


class Batch:
    """Parsed records with their names for error messages; record numbers start at `first`.

    requested: the requested keys with their dtypes.
    """

    def __init__(
        self,
        records: list[bytes],
        names: list[bytes] | None,
        is_single: bool = False,
        first: int = 0,
        requested: Iterable[tuple[str, Any]] = (),
    ):
        self.first = first
        self.records = records
        self.names = names
        self.is_single = is_single
        self.features: list[dict[bytes, Feature]] = []
        self._ragged = _read_at_once(records, list(requested))
        reader = ExampleReader()
        for data in () if self._ragged else records:
            try:
                self.features.append(reader.features(data))
            except MalformedRecordError:
                raise_malformed_record(data)

    def label(self, index: int) -> str:
        if self.names is None:
            return "" if self.is_single else "Name: <unknown>, "
        return f"Name: {self.names[index].decode('utf-8', 'replace')}, "

    def error_prefix(self, record: int, key: str) -> str:
        index = "" if self.is_single else f", Index: {self.first + record}"
        return f"{self.label(record)}Key: {key}{index}.  "

    def column(self, key: str, dtype: Any, mismatch: str) -> tuple[Any, RaggedBatch]:
        """Returns the values of a key and the indices of the records that contain it.

        mismatch: the error message for an unexpected dtype, with {got} and {want}.
        """
        want, name = KINDS[dtype], os.fsencode(key)
        read = self._ragged.get((name, want))
        if read is not None:
            if len(self.records) == 1:
                return (
                    ([0], read)
                    if read.counts[0] >= 0
                    else ([], RaggedBatch(read.values, _NO_COUNTS))
                )
            is_present = read.counts >= 0
            if is_present.all():
                return range(len(self.records)), read
            present = np.flatnonzero(is_present)
            return present, RaggedBatch(read.values, read.counts[present])
        matching: list[tuple[bytes, Feature]] = []
        record_indices: list[int] = []
        for index, features in enumerate(self.features):
            feature = features.get(name)
            if feature is None or feature.kind == NO_VALUES:
                continue
            if feature.kind != want:
                actual_kind = KIND_NAMES[feature.kind]
                text = mismatch.format(got=actual_kind, want=KIND_NAMES[want])
                invalid(f"{self.error_prefix(index, key)}Data types don't match. {text}")
            record_indices.append(index)
            matching.append((self.records[index], feature))
        try:
            return record_indices, gather_values(dtype, matching)
        except MalformedRecordError:
            raise_malformed_record(self.records[record_indices[0]])
            raise

    def sparse(self, key: str, dtype: Any) -> tuple:
        present, ragged = self.column(key, dtype, "Expected type: {want}, Actual type: {got}")
        return sparse(ragged, present, len(self.records))

    def dense(self, key: str, dtype: Any, shape: tuple, default: Any) -> Any:
        """Returns [records, *shape]; a first size of None means the length of the longest record."""
        present, ragged = self.column(key, dtype, "Data type: {got} but expected type: {want}")
        rows = len(self.records)
        if shape and shape[0] is None:
            self._check_items(key, present, ragged, dtype, shape)
            return pad_rows(dtype, ragged, present, rows, default, shape[1:])
        size = math.prod(shape)
        wrong = ragged.counts != size
        if wrong.any():
            wrong = np.flatnonzero(wrong)
            self._raise_count_error(
                key, present[wrong[0]], dtype, int(ragged.counts[wrong[0]]), shape
            )
        values = ragged.values.reshape(len(present), *shape)
        if len(present) == rows:
            return values
        if not element_count(default):
            index = min(set(range(rows)) - set(present))
            invalid(
                f"{self.label(index)}Feature: {key} (data type: {KIND_NAMES[KINDS[dtype]]}) is "
                "required but could not be found."
            )
        result = fill(dtype, (rows, *shape), default)
        result[present] = values
        return result

    def _check_items(
        self, key: str, present: Any, ragged: RaggedBatch, dtype: Any, shape: tuple
    ) -> None:
        size = int(np.prod(shape[1:], dtype=np.int64))
        wrong = np.flatnonzero(ragged.counts % max(size, 1))
        if not wrong.size:
            return
        if self.is_single:
            invalid(f"Key: {key}.  Can't parse serialized Example.")
        dims = ",".join("?" if n is None else str(n) for n in shape)
        invalid(
            f"{self.error_prefix(present[wrong[0]], key)}Number of {_plural(KIND_NAMES[KINDS[dtype]])} values is not a "
            f"multiple of stride length. Saw {ragged.counts[wrong[0]]} values but output shape "
            f"is: [{dims}]"
        )

    def _raise_count_error(
        self, key: str, index: int, dtype: Any, count: int, shape: tuple
    ) -> None:
        if self.is_single:
            invalid(f"Key: {key}.  Can't parse serialized Example.")
        invalid(
            f"{self.error_prefix(index, key)}Number of {_plural(KIND_NAMES[KINDS[dtype]])} values != "
            f"expected.  Values size: {count} but output shape: {shape_text(shape)}"
        )


def _read_at_once(
    records: list[bytes], expected: list[tuple[str, Any]]
) -> dict[tuple[bytes, int], RaggedBatch]:
    """Reads features by key and kind in a native kernel; empty if the records must be read one by one."""
    features, table = _distinct_features(tuple(expected))
    read = read_features(records, table) if records and table is not None else None
    return {} if read is None else {key: RaggedBatch(*pair) for key, pair in zip(features, read)}


@lru_cache(maxsize=256)
def _distinct_features(
    expected: tuple[tuple[str, Any], ...],
) -> tuple[list[tuple[bytes, int]], Table | None]:
    """Returns the distinct features by key and kind and their table; no table if none, or if a key has two kinds."""
    features = list({(os.fsencode(key), KINDS[dtype]): None for key, dtype in expected})
    keys = [key for key, _ in features]
    if not keys or len(set(keys)) < len(keys):
        return features, None
    return features, feature_table(keys, [kind for _, kind in features])


def _plural(type_name: str) -> str:
    return "bytes" if type_name == "string" else type_name


def element_count(value: Any) -> int:
    return 1 if value.__class__ is bytes else int(np.size(value))


def raise_malformed_record(data: bytes) -> None:
    """Raises InvalidArgumentError for malformed records; TensorFlow's message ends at the first null byte."""
    text = data.decode("utf-8", "replace")
    invalid(f"Could not parse example input, value: '{text}'".partition("\0")[0])
