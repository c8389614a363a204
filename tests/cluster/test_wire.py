"""Tensors in messages: protobuf compatibility, alignment, and rejection of invalid data."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tfmini._src.base import proto
from tfmini._src.cluster import wire

VALUES = [
    np.arange(5000, dtype=np.float32).reshape(50, 100),
    np.float32(3),
    np.zeros((0, 3), np.int64),
    np.array([b"a", b"bc" * 5000], object),
    np.array(True),
    np.ones(3, np.complex128),
    np.arange(6).reshape(2, 3).T,
]


@cases.in_one_test
@pytest.mark.parametrize("before", [0, 1, 5, 7, 15])
@pytest.mark.parametrize("value", VALUES, ids=lambda v: f"{np.asarray(v).dtype}{np.shape(v)}")
def test_tensors_round_trip(value, before):
    data = b"\0" * before + wire.join_buffers(wire.named_tensor(2, b"name:0", value, None, before))
    message = proto.RunStepRequest.FromString(data[before:])
    assert message.feed[0].name == "name:0"
    read = tf.make_ndarray(message.feed[0].tensor)
    assert read.dtype == np.asarray(value).dtype and np.array_equal(read, value)
    ((_, _, (start, end)),) = wire.fields(data, before)
    parts = {field: value for field, _, value in wire.fields(data, start, end)}
    array, dtype = wire.read_tensor(data, *parts[2])
    assert np.array_equal(array, value) and dtype is tf.as_dtype(np.asarray(value).dtype)
    if array.nbytes > 4096 and array.dtype != object:
        assert array.flags.aligned and not array.flags.owndata


def test_strings_in_tensor_content():
    data = wire.join_buffers(wire.tensor_buffers(b"a\0"))
    assert wire.read_tensor(data, 0, len(data))[0][()] == b"a\0"
    message = proto.TensorProto(dtype=proto.DT_STRING, tensor_content=b"\x01\x00\x02abc")
    message.tensor_shape.dim.add(size=3)
    assert wire.decode_tensor(message)[0].tolist() == [b"a", b"", b"bc"]
    for wrong in (b"\x01\x00", b"\x01\x00\x03abc", b"\xff\xff\xff", b"\x01"):
        message.tensor_content = wrong
        text = f"^Cannot parse tensor from proto: {len(wrong)} bytes for 3 elements of string"
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            wire.decode_tensor(message)


def test_damaged_messages_are_rejected():
    whole = wire.join_buffers(wire.tensor_buffers(np.arange(40, dtype=np.float32)))
    random = np.random.RandomState(0)
    for _ in range(2000):
        data = bytearray(whole[: random.randint(1, len(whole) + 1)])
        for _ in range(random.randint(0, 3)):
            data[random.randint(min(len(data), 12))] = random.randint(256)
        try:
            array, _ = wire.read_tensor(bytes(data), 0, len(data))
        except (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError):
            continue
        assert array.nbytes <= 1 << 20 or 0 in array.strides


@pytest.mark.parametrize(
    "dims, content",
    [
        ([3], b"\0" * 8),
        ([3], b"\0" * 16),
        ([-1, -3], b"\0" * 12),
        ([-3], b"\0" * 12),
        ([1] * 300, b"\0" * 4),
    ],
)
def test_mismatched_content_sizes_are_rejected(dims, content):
    message = proto.TensorProto(dtype=proto.DT_FLOAT, tensor_content=content)
    for size in dims:
        message.tensor_shape.dim.add(size=size)
    data = message.SerializeToString()
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Cannot parse tensor from proto: "):
        wire.read_tensor(data, 0, len(data))


def numbers(value):
    """A varint, encoded by hand."""
    out = b""
    while value >= 128:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**32, 2**63, 2**64 - 1])
def test_varints_are_read(value):
    data = b"\xff" + numbers(value) + b"\xff"
    assert wire.read_number(data, 1) == (value, 1 + len(numbers(value)))
    assert list(wire.fields(b"\x08" + numbers(value))) == [(1, 0, value)]


@pytest.mark.parametrize("data", [b"", b"\x80", b"\xff" * 10 + b"\x01", b"\x80" * 11 + b"\0"])
def test_invalid_varints_are_rejected(data):
    with pytest.raises(IndexError, match="index out of range|^$"):
        wire.read_number(data, 0)


def test_fields_of_each_wire_type():
    data = b"\x08\x07" + b"\x11" + bytes(8) + b"\x1a\x02ab" + b"\x25" + bytes(4) + b"\xfa\x01\x00"
    result = [(1, 0, 7), (2, 1, (3, 11)), (3, 2, (13, 15)), (4, 5, (16, 20)), (31, 2, (23, 23))]
    assert list(wire.fields(data)) == result
    assert list(wire.fields(data, 2, 11)) == result[1:2]
    assert list(wire.fields(data, 11, 15)) == result[2:3] and list(wire.fields(b"")) == []


@pytest.mark.parametrize(
    "data", [b"\x08", b"\x11" + bytes(7), b"\x1a\x03ab", b"\x25" + bytes(3), b"\x0b", b"\x0e\x00"]
)
def test_malformed_fields_are_rejected(data):
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Malformed message$"):
        list(wire.fields(data))
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Malformed message$"):
        list(wire.fields(data + bytes(20), 0, len(data)))


@cases.in_one_test
@pytest.mark.parametrize("size", [0, *range(2, 60)])
def test_padding_is_ignored(size):
    """Padding by a redundant protobuf field, version_number 0, of any length but one byte."""
    result = wire._filler(size)
    assert len(result) == size
    assert {(field, value) for field, _, value in wire.fields(result)} <= {(3, 0)}
    assert proto.TensorProto.FromString(result) == proto.TensorProto()


@pytest.mark.parametrize("value", [0, 1, 127, 128, 1 << 20, (1 << 35) - 1])
def test_five_byte_lengths(value):
    result = wire.five_byte_varint(value)
    assert len(result) == 5 and wire.read_number(result, 0) == (value, 5)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="of 34359738368 bytes is too large"):
        wire.five_byte_varint(1 << 35)


def test_unsendable_tensors_are_rejected():
    with pytest.raises(tf.errors.UnimplementedError, match="dtype variant cannot be sent to"):
        wire.tensor_buffers(np.array([None], object), tf.variant)
    message = proto.TensorProto(dtype=proto.DT_VARIANT)
    with pytest.raises(tf.errors.UnimplementedError, match="dtype variant cannot be sent to"):
        wire.decode_tensor(message)


@pytest.mark.parametrize(
    "change, text",
    [
        (lambda m: m.tensor_shape.dim.add(size=-1), "."),
        (
            lambda m: m.tensor_shape.CopyFrom(proto.TensorShapeProto(unknown_rank=True)),
            "shape is unknown",
        ),
        (lambda m: [m.tensor_shape.dim.add(size=1) for _ in range(255)], "255 dimensions"),
        (lambda m: m.tensor_shape.dim.add(size=3), "Cannot parse tensor from proto"),
    ],
)
def test_invalid_tensors_are_rejected(change, text):
    message = proto.TensorProto(dtype=proto.DT_FLOAT, tensor_content=bytes(4))
    change(message)
    data = message.SerializeToString()
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        wire.read_tensor(data, 0, len(data))


def test_message_views_are_copied_on_write():
    array = np.frombuffer(bytes(8), np.float32)
    copy = wire.writable(array)
    copy[0] = 1
    assert array[0] == 0 and wire.writable(copy) is copy
