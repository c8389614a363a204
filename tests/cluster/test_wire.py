"""Tensors in messages: as protobuf reads and writes them, aligned, and refused where they are none."""

import numpy as np
import pytest

import tfmini as tf
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


@pytest.mark.parametrize("before", [0, 1, 5, 7, 15])
@pytest.mark.parametrize("value", VALUES, ids=lambda v: f"{np.asarray(v).dtype}{np.shape(v)}")
def test_there_and_back(value, before):
    data = b"\0" * before + wire.joined(wire.named_tensor(2, b"name:0", value, None, before))
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


def test_strings_as_tasks_send_them():
    message = proto.TensorProto(dtype=proto.DT_STRING, tensor_content=b"\x01\x00\x02abc")
    message.tensor_shape.dim.add(size=3)
    assert wire.tensor_of(message)[0].tolist() == [b"a", b"", b"bc"]
    for wrong in (b"\x01\x00", b"\x01\x00\x03abc", b"\xff\xff\xff", b"\x01"):
        message.tensor_content = wrong
        text = f"^Cannot parse tensor from proto: {len(wrong)} bytes for 3 elements of string"
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            wire.tensor_of(message)


def test_damaged_messages_are_refused():
    whole = wire.joined(wire.tensor_buffers(np.arange(40, dtype=np.float32)))
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
def test_sizes_that_are_not_those_of_the_numbers(dims, content):
    message = proto.TensorProto(dtype=proto.DT_FLOAT, tensor_content=content)
    for size in dims:
        message.tensor_shape.dim.add(size=size)
    data = message.SerializeToString()
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Cannot parse tensor from proto: "):
        wire.read_tensor(data, 0, len(data))
