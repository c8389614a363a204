"""Records parsed from bytes, compared with the messages that wrote them."""

import numpy as np
import pytest

from tfmini._src.base import proto
from tfmini._src.devices.host.example_wire import (
    BYTES,
    FLOATS,
    INTS,
    NO_VALUES,
    ExampleReader,
    MalformedRecordError,
    decode_floats,
    decode_ints,
    decode_strings,
    packed_values,
    read_example,
    read_features,
    read_sequence_example,
)


def example(**lists):
    message = proto.Example()
    for key, (kind, values) in lists.items():
        getattr(message.features.feature[key], kind).value.extend(values)
        getattr(message.features.feature[key], kind).SetInParent()
    return message.SerializeToString()


WHOLE = example(
    i=("int64_list", [0, 127, 128, -1, 2**63 - 1]),
    f=("float_list", [1.5, -2.0]),
    s=("bytes_list", [b"ab", b""]),
    n=("int64_list", []),
)


def test_each_kind_is_read():
    features = read_example(WHOLE)
    assert {key: feature.kind for key, feature in features.items()} == {
        b"i": INTS,
        b"f": FLOATS,
        b"s": BYTES,
        b"n": INTS,
    }
    ints, counts = decode_ints(
        [packed_values(WHOLE, features[b"i"]), packed_values(WHOLE, features[b"n"])]
    )
    assert ints.tolist() == [0, 127, 128, -1, 2**63 - 1]
    assert counts.tolist() == [5, 0]
    assert decode_floats([packed_values(WHOLE, features[b"f"])])[0].tolist() == [1.5, -2.0]
    assert decode_strings(WHOLE, features[b"s"]) == [b"ab", b""]


def test_unpacked_numbers_are_read():
    """As written by proto2 and JSON transcoders: one field per number."""
    ints = b"\x1a\x05\x08\x05\x08\xac\x02"
    floats = b"\x12\x0a\x0d\x00\x00\xc0\x3f\x0d\x00\x00\x00\xc0"
    data = b""
    for key, feature in ((b"i", ints), (b"f", floats)):
        entry = b"\x0a\x01" + key + b"\x12" + bytes([len(feature)]) + feature
        data += b"\x0a" + bytes([len(entry)]) + entry
    data = b"\x0a" + bytes([len(data)]) + data
    assert proto.Example.FromString(data).features.feature["i"].int64_list.value == [5, 300]
    features = read_example(data)
    assert decode_ints([packed_values(data, features[b"i"])])[0].tolist() == [5, 300]
    assert decode_floats([packed_values(data, features[b"f"])])[0].tolist() == [1.5, -2.0]


def test_reader_rereads_unpacked_numbers():
    """Their length varies: the second byte of one may be another field."""
    entry = b"\x0a\x01i\x12%c\x1a%c"
    reader = ExampleReader()
    for ints, expected in ((b"\x08\xac\x02\x08\x05", [300, 5]), (b"\x08\x05\x10\x08\x10", None)):
        body = entry % (len(ints) + 2, len(ints)) + ints
        data = b"\x0a" + bytes([len(body) + 2]) + b"\x0a" + bytes([len(body)]) + body
        if expected is None:
            with pytest.raises(MalformedRecordError):
                reader.features(data)
        else:
            values = decode_ints([packed_values(data, reader.features(data)[b"i"])])[0]
            assert values.tolist() == expected


def test_unknown_fields_are_skipped():
    unknown = b"\x10\x07\x1d\x00\x00\x00\x00\x21" + bytes(8) + b"\x2a\x01x"
    assert read_example(unknown + WHOLE + unknown).keys() == read_example(WHOLE).keys()


def test_feature_without_kind():
    data = proto.Example()
    data.features.feature["x"].SetInParent()
    assert read_example(data.SerializeToString())[b"x"].kind == NO_VALUES


@pytest.mark.parametrize(
    "data",
    [b"xyz", WHOLE[:-3], b"\x0a\x05\x0a", b"\x0a\xff\xff", b"\x03"],
    ids=["letters", "cut", "cut_length", "runs_past_the_end", "group"],
)
def test_malformed_records_are_rejected(data):
    with pytest.raises(MalformedRecordError):
        read_example(data)


def test_malformed_numbers_are_rejected():
    with pytest.raises(MalformedRecordError):
        decode_ints([b"\x05\x80"])
    with pytest.raises(MalformedRecordError):
        decode_ints([b"\x80" * 10 + b"\x01"])
    with pytest.raises(MalformedRecordError):
        decode_floats([b"\0\0\0"])


def test_reader_distinguishes_layouts():
    """Records of equal length with values at other offsets, or with other keys."""
    records = [
        example(a=("float_list", [1.0, 2.0]), b=("bytes_list", [b"xyz"])),
        example(a=("float_list", [3.0, 4.0]), b=("bytes_list", [b"uvw"])),
        example(b=("float_list", [5.0, 6.0]), a=("bytes_list", [b"xyz"])),
        example(a=("float_list", [7.0, 8.0]), b=("bytes_list", [b"xyz"])),
    ]
    assert len({len(record) for record in records}) == 1
    reader = ExampleReader()
    for record in records:
        assert reader.features(record) == read_example(record)


def test_sequences_are_read():
    message = proto.SequenceExample(context=proto.Example.FromString(WHOLE).features)
    for values in ([1], [2, 3], []):
        feature = message.feature_lists.feature_list["t"].feature.add()
        feature.int64_list.value.extend(values)
        feature.int64_list.SetInParent()
    data = message.SerializeToString()
    context, lists = read_sequence_example(data)
    assert context.keys() == read_example(WHOLE).keys()
    values, counts = decode_ints([packed_values(data, feature) for feature in lists[b"t"]])
    assert values.tolist() == [1, 2, 3]
    np.testing.assert_array_equal(counts, [1, 2, 0])


def test_mismatched_field_types_are_skipped():
    """As in protocol buffers: another field number, and the map's number with another wire type."""
    features = proto.Example.FromString(example(x=("int64_list", [3]))).features
    entry = features.SerializeToString()
    data = b"\x12" + entry[1:2] + entry[2:].replace(b"x", b"y") + b"\x08\x05" + entry
    assert list(proto.Features.FromString(data).feature) == ["x"]
    assert list(read_features(data, 0, len(data))) == [b"x"]
