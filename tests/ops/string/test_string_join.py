"""String joins: tf.reduce_join, tf.strings.join, unsorted_segment_join."""

import numpy as np

import tfmini as tf
from tests.support.sessions import run


def test_reduce_join_over_axes_in_order():
    words = tf.constant([["a", "b"], ["c", "d"]])
    assert run(tf.reduce_join(words, [0, 1])) == b"acbd"
    assert run(tf.reduce_join(words, [1, 0], separator=",")) == b"a,b,c,d"
    assert run(tf.reduce_join(words, tf.constant([], tf.int32))).tolist() == [
        [b"a", b"b"],
        [b"c", b"d"],
    ]
    assert run(tf.reduce_join(tf.zeros([2, 0], tf.string), 1)).tolist() == [b"", b""]


def test_unsorted_segment_join_of_no_strings():
    none = np.array([], object)
    joined = tf.strings.unsorted_segment_join(none, np.array([], np.int32), 3, ":")
    assert run(joined).tolist() == [b"", b"", b""]


def test_static_shapes():
    unknown = tf.placeholder(tf.string)
    assert tf.strings.join([unknown, tf.zeros([2, 3], tf.string)]).shape == [2, 3]
    assert tf.strings.join([unknown, "x"]).shape.ndims is None
    assert tf.strings.join(["y", "x"]).shape == []
    assert tf.reduce_join(tf.zeros([2, 3], tf.string), 0, keepdims=True).shape == [1, 3]
