"""strided_slice: TensorFlow's errors for invalid calls."""

import numpy as np

import tfmini as tf


def test_fed_bounds_are_reread_each_run():
    """A node caches only constant bounds."""
    begin = np.array([0, 1], np.int32)
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    fed = tf.placeholder(tf.int32, [2])
    part = tf.strided_slice(x, fed, [2, 3], shrink_axis_mask=1)
    with tf.Session() as session:
        for first in (0, 1, 0):
            begin[0] = first
            expected = x.eval(session=session)[first, 1:]
            np.testing.assert_array_equal(session.run(part, {fed: begin}), expected)


def test_slice_gradients_of_varying_shapes_in_one_plan():
    x = tf.placeholder(tf.float32, [None, None])
    (grad,) = tf.gradients(x[1:, ::2] * 2.0, x)
    with tf.Session() as session:
        for rows in (3, 2, 3):
            expected = np.zeros([rows, 4], "f")
            expected[1:, ::2] = 2
            np.testing.assert_array_equal(session.run(grad, {x: np.ones([rows, 4])}), expected)
