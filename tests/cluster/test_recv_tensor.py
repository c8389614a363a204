"""Replies with tensors, as the message that TensorFlow's servers send."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.cluster.recv_tensor import read_reply

DEAD = b"\x10\x01"  # is_dead, the second field of RecvTensorResponse


@pytest.mark.parametrize("is_dead", [False, True])
def test_whether_a_tensor_is_dead(is_dead):
    tensor = tf.make_tensor_proto(np.float32(2.5)).SerializeToString()
    reply = b"\x0a" + bytes([len(tensor)]) + tensor + (DEAD if is_dead else b"")
    item = read_reply(reply)
    assert item.is_dead is is_dead
    assert is_dead or item.value == np.float32(2.5)
