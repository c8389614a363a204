"""Graphs deeper than Python's stack: static values are looked for in loops."""

import tfmini as tf


def test_the_axes_of_a_reduction_behind_many_layers() -> None:
    hidden = tf.placeholder(tf.float32, [None, 2])
    for _ in range(2000):
        hidden = tf.nn.relu(hidden)
    assert tf.reduce_sum(hidden).shape.as_list() == []
    assert tf.reshape(hidden, tf.shape(hidden)).shape.as_list() == [None, 2]
