"""Parses tf.train.Example and SequenceExample from their bytes, without creating messages.

A record is parsed once for the positions of its values, a `Layout`. Records from one writer usually differ only in
their values, so the layout of a record of the same length is tried first; it applies if the bytes between the values
are equal. numpy then reads the lists of numbers of many records at once.

The format is the wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/); the fields are
as in TensorFlow's example.proto and feature.proto.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tfmini._src.devices.arrays import Array

NO_VALUES, BYTES, FLOATS, INTS = range(4)
# Names of the kinds in error messages.
KIND_NAMES = ("", "string", "float", "int64")

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5


class MalformedRecordError(ValueError):
    """Raised for malformed records."""


class Feature(NamedTuple):
    """The byte spans of a feature's values: one per string, or runs of packed numbers.

    is_fixed: whether the layout depends only on the lengths, which single varints do not guarantee.
    """

    kind: int
    spans: list[tuple[int, int]]
    is_fixed: bool = True


class Layout(NamedTuple):
    """The features of a record by key, and the bytes between their values.

    is_fixed: whether any record with the same bytes between its values has the same features.
    """

    features: dict[bytes, Feature]
    between: list[tuple[int, int, bytes]]
    is_fixed: bool = True


def _varint(data: bytes, offset: int) -> tuple[int, int]:
    """Returns the varint at an offset, and the offset after it."""
    try:
        byte = data[offset]
        if byte < 128:
            return byte, offset + 1
        value, shift = byte & 127, 7
        while byte >= 128:
            offset += 1
            byte = data[offset]
            value |= (byte & 127) << shift
            shift += 7
    except IndexError:
        raise MalformedRecordError from None
    if shift > 70:
        raise MalformedRecordError
    return value, offset + 1


def _fields(data: bytes, offset: int, end: int) -> list[tuple[int, int, int, int]]:
    """Returns the number, wire type, start and end of each field of the message data[offset:end]."""
    fields = []
    while offset < end:
        tag, offset = _varint(data, offset)
        wire = tag & 7
        start = offset
        if wire == _LENGTH:
            size, start = _varint(data, offset)
            offset = start + size
        elif wire == _VARINT:
            _, offset = _varint(data, offset)
        elif wire == _FIXED32:
            offset += 4
        elif wire == _FIXED64:
            offset += 8
        else:
            raise MalformedRecordError
        if offset > end or not tag >> 3:
            raise MalformedRecordError
        fields.append((tag >> 3, wire, start, offset))
    return fields


def read_feature(data: bytes, offset: int, end: int) -> Feature:
    """Parses the Feature message data[offset:end]."""
    kind: int = NO_VALUES
    spans: list[tuple[int, int]] = []
    is_fixed = True
    for field, wire, start, stop in _fields(data, offset, end):
        if wire != _LENGTH or field > INTS:
            continue
        if field != kind:
            kind, spans = field, []
        packed = _FIXED32 if kind == FLOATS else _VARINT
        for item, item_wire, first, last in _fields(data, start, stop):
            if item == 1 and item_wire in (_LENGTH, packed if kind != BYTES else _LENGTH):
                spans.append((first, last))
                is_fixed &= item_wire != _VARINT
    return Feature(kind, spans, is_fixed)


def _entry(data: bytes, offset: int, end: int) -> tuple[bytes, int, int]:
    """Returns the key of a map entry, and the start and end of its value."""
    key, value = b"", (end, end)
    for field, wire, start, stop in _fields(data, offset, end):
        if wire == _LENGTH and field == 1:
            key = data[start:stop]
        elif wire == _LENGTH and field == 2:
            value = start, stop
    return key, *value


def read_features(data: bytes, offset: int, end: int) -> dict[bytes, Feature]:
    """Parses the Features message data[offset:end]."""
    features = {}
    for field, wire, start, stop in _fields(data, offset, end):
        if field == 1 and wire == _LENGTH:
            key, first, last = _entry(data, start, stop)
            features[key] = read_feature(data, first, last)
    return features


def read_example(data: bytes) -> dict[bytes, Feature]:
    """Returns the features of a serialized Example."""
    features: dict[bytes, Feature] = {}
    for field, wire, start, stop in _fields(data, 0, len(data)):
        if field == 1 and wire == _LENGTH:
            features.update(read_features(data, start, stop))
    return features


def read_sequence_example(data: bytes) -> tuple[dict[bytes, Feature], dict[bytes, list[Feature]]]:
    """Returns the context and the feature lists of a serialized SequenceExample."""
    context: dict[bytes, Feature] = {}
    lists: dict[bytes, list[Feature]] = {}
    for field, wire, start, stop in _fields(data, 0, len(data)):
        if wire != _LENGTH:
            continue
        if field == 1:
            context.update(read_features(data, start, stop))
        elif field == 2:
            for inner, inner_wire, first, last in _fields(data, start, stop):
                if inner == 1 and inner_wire == _LENGTH:
                    key, offset, end = _entry(data, first, last)
                    lists[key] = [
                        read_feature(data, a, b)
                        for item, item_wire, a, b in _fields(data, offset, end)
                        if item == 1 and item_wire == _LENGTH
                    ]
    return context, lists


def read_layout(data: bytes) -> Layout:
    """Returns the layout of a serialized Example; raises MalformedRecordError for invalid data."""
    features = read_example(data)
    if not all(feature.is_fixed for feature in features.values()):
        return Layout(features, [], is_fixed=False)
    spans = sorted(span for feature in features.values() for span in feature.spans)
    ends = [0, *(stop for _, stop in spans)]
    starts = [*(start for start, _ in spans), len(data)]
    return Layout(features, [(a, b, data[a:b]) for a, b in zip(ends, starts) if a < b])


class ExampleReader:
    """Reads consecutive Examples; caches the last layout for each length."""

    def __init__(self) -> None:
        self._layouts: dict[int, Layout] = {}

    def features(self, data: bytes) -> dict[bytes, Feature]:
        """Returns the features of a serialized Example; raises MalformedRecordError for invalid data."""
        layout = self._layouts.get(len(data))
        if layout is not None:
            for start, stop, text in layout.between:
                if data[start:stop] != text:
                    break
            else:
                return layout.features
        layout = read_layout(data)
        if layout.is_fixed:
            self._layouts[len(data)] = layout
        return layout.features


def decode_strings(data: bytes, feature: Feature) -> list[bytes]:
    return [data[start:stop] for start, stop in feature.spans]


def packed_values(data: bytes, feature: Feature) -> bytes:
    """Returns the packed numbers of a feature."""
    spans = feature.spans
    if len(spans) == 1:
        start, stop = spans[0]
        return data[start:stop]
    return b"".join([data[start:stop] for start, stop in spans])


def decode_floats(parts: list[bytes]) -> tuple[Array, Array]:
    """Returns the packed floats of many features: all values, and the number of values of each feature."""
    counts = np.fromiter(map(len, parts), np.int64, len(parts))
    if (counts & 3).any():
        raise MalformedRecordError
    return np.frombuffer(bytearray().join(parts), "<f4"), counts >> 2


def decode_ints(parts: list[bytes]) -> tuple[Array, Array]:
    """Returns the packed varints of many features: all values as int64, and the number of values of each feature."""
    lengths = np.fromiter(map(len, parts), np.int64, len(parts))
    return decode_varints(np.frombuffer(b"".join(parts), np.uint8), lengths)


def decode_varints(data: np.ndarray, lengths: np.ndarray) -> tuple[Array, Array]:
    """Same as `decode_ints`, for consecutive features with these lengths in `data`, uint8."""
    if not data.size or data.max() < 128:
        return data.astype(np.int64), lengths
    is_last = data < 128
    ends = np.cumsum(lengths)
    full = lengths > 0
    if not is_last[ends[full] - 1].all():
        raise MalformedRecordError
    positions = np.concatenate([[0], np.cumsum(is_last)])
    counts = positions[ends] - positions[ends - lengths]
    last = np.flatnonzero(is_last)
    first = np.concatenate([[0], last[:-1] + 1])
    sizes = last - first + 1
    if sizes.max() > 10:
        raise MalformedRecordError
    values = np.zeros(last.size, np.uint64)
    for byte in range(int(sizes.max())):
        selected = np.flatnonzero(sizes > byte)
        septets = (data[first[selected] + byte] & 127).astype(np.uint64)
        values[selected] |= septets << np.uint64(7 * byte)
    return values.view(np.int64), counts
