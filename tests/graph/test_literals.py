"""Python values as constants."""

import array
import ctypes

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.tensor_proto import proto_to_literal


class Described:
    """An array of another library that exposes its memory through `__array_interface__`."""

    def __init__(self, values):
        self.values = values

    @property
    def __array_interface__(self):
        return self.values.__array_interface__


@pytest.mark.parametrize("kind", ["f", "d", "i4", "i8"])
def test_array_interface_objects(kind):
    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.convert_to_tensor(Described(np.arange(3, dtype=kind)))
        assert result.dtype == np.dtype(kind) and session.run(result).tolist() == [0, 1, 2]
        assert tf.constant(Described(np.arange(3)), tf.float32).dtype == tf.float32
        added = tf.constant([1, 2, 3]) + Described(np.arange(3, dtype="i4"))
        assert session.run(added).tolist() == [1, 3, 5]


@pytest.mark.parametrize("values", [array.array("f", [1.0, 2.0]), (ctypes.c_float * 2)(1.0, 2.0)])
def test_buffer_objects(values):
    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.convert_to_tensor(values)
        assert result.dtype == tf.float32 and session.run(result).tolist() == [1.0, 2.0]


def test_repeated_proto_values_compare_by_length():
    """A proto's last value repeats, so [1] and [1, 2] have a common prefix."""

    def of(*values):
        message = tf.make_tensor_proto(0.0, shape=[5])
        message.float_val[:] = values
        return proto_to_literal(message)

    assert of(1, 2) != of(1) != of(1, 2) and of(1, 1, 1) == of(1) and of(1, 2, 2) == of(1, 2)
    assert of(0.0) != of(-0.0) and of(np.nan) == of(np.nan)
