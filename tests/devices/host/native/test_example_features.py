"""A batch's features read by a kernel: as written, and on damaged bytes the same as by the Python reader."""

import numpy as np

from tests.devices.host.test_example_wire import example
from tfmini._src.base import proto
from tfmini._src.devices.host.example_wire import (
    BYTES,
    FLOATS,
    INTS,
    NO_VALUES,
    MalformedRecordError,
    decode_floats,
    decode_ints,
    decode_strings,
    packed_values,
    read_example,
)
from tfmini._src.devices.host.native.example_features import feature_table, read_features

WIDE = [0, 1, 127, 128, 300, 2**31, 2**63 - 1, -1, -(2**63)]


def read(records, requested):
    """Each record's values by key; None if the kernel rejects the batch."""
    results = read_features(records, feature_table(*zip(*requested)))
    if results is None:
        return None
    rows = [{} for _ in records]
    for (key, _), (values, counts) in zip(requested, results):
        assert values.flags.c_contiguous and counts.shape == (len(records),)
        ends = np.cumsum(np.maximum(counts, 0))
        assert values.size == ends[-1]
        for row, count, end in zip(rows, counts.tolist(), ends.tolist()):
            if count >= 0:
                row[key] = values[end - count : end].tolist()
    return rows


def test_features_round_trip(build):
    rng = np.random.RandomState(0)
    records, rows = [], []
    for i in range(200):
        fields = {
            "f": ("float_list", rng.rand(i % 4).astype(np.float32).tolist()),
            "i": ("int64_list", [WIDE[n] for n in rng.randint(len(WIDE), size=i % 6)]),
            "s": ("bytes_list", [rng.bytes(n) for n in rng.randint(300, size=i % 3)]),
            "other": ("bytes_list", [b"not asked for"]),
        }
        order = [key for key in rng.permutation(list(fields)) if rng.rand() < 0.8]
        records.append(example(**{key: fields[key] for key in order}))
        rows.append({k.encode(): list(fields[k][1]) for k in order if k != "other"})
    assert read(records, [(b"i", INTS), (b"s", BYTES), (b"f", FLOATS)]) == rows


def test_last_duplicate_feature_wins(build):
    data = example(a=("int64_list", [1, 2])) + example(a=("int64_list", [3]))
    assert read([data], [(b"a", INTS)]) == [{b"a": [3]}]


def test_feature_without_list_is_missing(build):
    message = proto.Example()
    message.features.feature["a"].SetInParent()
    assert read([message.SerializeToString()], [(b"a", INTS)]) == [{}]


def test_unpacked_numbers(build):
    ints = b"\x1a\x05\x08\x05\x08\xac\x02"
    entry = b"\x0a\x01i\x12" + bytes([len(ints)]) + ints
    features = b"\x0a" + bytes([len(entry)]) + entry
    data = b"\x0a" + bytes([len(features)]) + features
    assert read([data], [(b"i", INTS)]) == [{b"i": [5, 300]}]


def test_other_kind_falls_back(build):
    assert read([example(a=("float_list", [1.0]))], [(b"a", INTS)]) is None


def test_non_bytes_records_fall_back(build):
    assert read_features([bytearray(b"")], feature_table([b"a"], [INTS])) is None


def in_python(data, requested):
    """The values by key as read in Python; None if rejected."""
    try:
        features = read_example(data)
        row = {}
        for key, kind in requested:
            feature = features.get(key)
            if feature is None or feature.kind == NO_VALUES:
                continue
            if feature.kind != kind:
                return None
            if kind == BYTES:
                row[key] = decode_strings(data, feature)
            else:
                numbers = decode_floats if kind == FLOATS else decode_ints
                row[key] = numbers([packed_values(data, feature)])[0].tolist()
        return row
    except MalformedRecordError:
        return None


def test_corrupt_bytes_match_python_or_fall_back(build):
    rng = np.random.RandomState(1)
    whole = example(
        f=("float_list", [1.5, 2.5]),
        i=("int64_list", WIDE),
        s=("bytes_list", [b"ab", b"", b"cde"]),
    )
    expected = [(b"f", FLOATS), (b"i", INTS), (b"s", BYTES)]
    read_anyway = 0
    for _ in range(5000):
        data = bytearray(whole)
        for position in rng.randint(len(data), size=rng.randint(1, 4)):
            data[position] = rng.choice([rng.randint(256), data[position] ^ 1 << rng.randint(8)])
        data = bytes(data[: rng.randint(len(data) + 1)] if rng.rand() < 0.2 else data)
        rows = read([data], expected)
        if rows is not None:
            assert repr(rows[0]) == repr(in_python(data, expected))
            read_anyway += 1
    assert read_anyway > 500
