"""Nodes without run-time handle checks: those whose handle type the graph proves."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.op_traits.handle_checks import needs_no_check
from tfmini._src.graph.opdef import raw


def array():
    return raw.TensorArrayV3(3, dtype=tf.float32)


def size_of(handle):
    return raw.TensorArraySizeV3(handle, np.float32(0)).op


def test_loop_handles_need_no_check(session):
    def body(i, array):
        return i + 1, array.write(i, tf.cast(i, tf.float32))

    result = tf.TensorArray(tf.float32, 3)
    _, written = tf.while_loop(lambda i, array: i < 3, body, [0, result])
    (write,) = [n for n in session.graph.get_operations() if n.type == "TensorArrayWriteV3"]
    assert write.inputs[0].op.type == "Enter"
    assert needs_no_check(write)
    np.testing.assert_array_equal(session.run(written.stack()), [0, 1, 2])


@pytest.mark.parametrize(
    "handle",
    [
        lambda: tf.placeholder(tf.resource, [2]),
        lambda: raw.StackV2(3, tf.float32),
        lambda: raw.Merge([array().handle, array().handle]).output,
    ],
)
def test_other_handles_are_checked(graph, handle):
    assert not needs_no_check(size_of(handle()))
