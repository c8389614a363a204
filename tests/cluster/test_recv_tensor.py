"""Tensor replies in the message format of TensorFlow's servers."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.cluster.recv_tensor import (
    RepliesRead,
    bytes_to_keys,
    keys_to_bytes,
    read_reply,
    reply_buffers,
)
from tfmini._src.cluster.rendezvous import Item
from tfmini._src.cluster.wire import fields, five_byte_varint, total_size

DEAD = b"\x10\x01"  # is_dead, the second field of RecvTensorResponse


@pytest.mark.parametrize("is_dead", [False, True])
def test_dead_flag_is_read(is_dead):
    tensor = tf.make_tensor_proto(np.float32(2.5)).SerializeToString()
    reply = b"\x0a" + bytes([len(tensor)]) + tensor + (DEAD if is_dead else b"")
    item = read_reply(reply)
    assert item.is_dead is is_dead
    assert is_dead or item.value == np.float32(2.5)


def reply_of(*values):
    """A worker's reply with several tensors."""
    written = b""
    for value in values:
        dtype = None if value is None else tf.as_dtype(value.dtype)
        result = reply_buffers(Item(value, dtype, value is None), len(written) + 6)
        written += b"\x0a" + five_byte_varint(total_size(result)) + b"".join(map(bytes, result))
    return written


def test_reply_layout_is_cached():
    """The layout of one reply is cached and used for later ones while it matches."""
    replies, keys = RepliesRead(), ("a", "b")
    like = [np.arange(3000, dtype=np.float32).reshape(30, 100), np.float64(7)]
    others = [
        [like[0].reshape(100, 30), like[1]],  # of the same length, with another shape
        [like[0].view(np.int32), like[1]],
        [np.zeros((0, 3), np.float32), like[1]],
        [np.array([b"ab", b""], object), like[1]],
        [None, like[1]],
    ]
    for i, values in enumerate(
        tensors for other in (like, *others) for tensors in (like, like, other, other, like)
    ):
        values = [
            value if value is None or value.dtype == object else value + value.dtype.type(i)
            for value in values
        ]
        for item, value in zip(replies.read(reply_of(*values), keys), values):
            assert item.is_dead is (value is None)
            if value is not None:
                assert item.dtype is tf.as_dtype(value.dtype) and item.value.shape == value.shape
                assert np.array_equal(item.value, value)


def test_request_keys_round_trip():
    keys = ("a", "bc" * 500, "d")
    ((field, kind, (start, end)),) = fields(keys_to_bytes(keys))
    assert (field, kind) == (2, 2) and bytes_to_keys(keys_to_bytes(keys)[start:end]) == keys
    for wrong, text in (
        (b"", "^The tensor request has no keys$"),
        (b"\x0a\x01a\x0a\x01a", "^Duplicate key among a, a$"),
        (b"\x0a\x02a", "^Malformed message$"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            bytes_to_keys(wrong)
