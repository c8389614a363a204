"""Stored values retain no memory but their own."""

import tracemalloc

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.lists.compact_value import compact


def test_small_slices_are_copied():
    large = np.arange(100.0)
    for whole in (large, large[:50], large.reshape(10, 10), large[25:], np.float32(3.0), b"text"):
        assert compact(whole) is whole
    part = compact(large[:3])
    assert part.base is None
    np.testing.assert_array_equal(part, [0.0, 1.0, 2.0])


def loop_with_stack(x):
    def body(i, a):
        large = tf.fill([1 << 18], a) + x
        return i + 1, tf.reduce_sum(large[5:7] * large[5:7])

    return tf.gradients(tf.while_loop(lambda i, a: i < 40, body, [0, x])[1], [x])[0]


def loop_with_array(x):
    def body(i, rows):
        large = tf.fill([1 << 18], tf.cast(i, tf.float32)) + x
        return i + 1, rows.write(i, large[5:7])

    rows = tf.TensorArray(tf.float32, 40)
    return tf.while_loop(lambda i, _: i < 40, body, [0, rows])[1].stack()


@pytest.mark.parametrize("loop", [loop_with_stack, loop_with_array])
def test_large_arrays_are_freed(loop):
    x = tf.placeholder(tf.float32, [])
    fetch = loop(x)
    with tf.Session() as session:
        session.run(fetch, {x: 0.5})
        tracemalloc.start()
        session.run(fetch, {x: 0.5})
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 10 << 20, f"{peak} bytes at the most; all large arrays are {40 << 20}"
