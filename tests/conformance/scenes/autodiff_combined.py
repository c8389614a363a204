"""Gradients with combined options, in float64, of accumulated slices, and numerically checked."""

import numpy as np


def checked(tf, stage):
    """`tf.test.compute_gradient` and variants: steps, initial values, feeds, lists, complex numbers, errors."""
    test = tf.test
    with tf.Session():
        x = tf.constant([[1.0, 2.0]], tf.float64, name="x")
        z = tf.constant([3.0], tf.float64)
        v = tf.Variable([2.0, 1.0], dtype=tf.float64)
        fed = tf.placeholder(tf.float64, [2], name="fed")
        y = x * x * z
        c = tf.constant([1.0 + 2.0j])
        single = tf.constant([[1.0, 2.0]])
        stage.attempts(
            lambda: test.compute_gradient(x, [1, 2], y, [1, 2]),
            lambda: test.compute_gradient(x, [1, 2], y, [1, 2], np.array([[3.0, 4.0]])),
            lambda: test.compute_gradient(x, [1, 2], y, [1, 2], delta=0.5),
            lambda: test.compute_gradient(x, [1, 2], x * x * x, [1, 2], np.ones([1, 2]), 0.5),
            lambda: test.compute_gradient(x, [1, 2], x * v, [1, 2], init_targets=v.initializer),
            lambda: test.compute_gradient(x, [1, 2], x * v, [1, 2], init_targets=[v.initializer]),
            lambda: test.compute_gradient(
                x, [1, 2], x * fed, [1, 2], np.ones([1, 2]), extra_feed_dict={fed: [5.0, 6.0]}
            ),
            lambda: test.compute_gradient(
                [x, z], [[1, 2], [1]], y, [1, 2], [np.ones([1, 2]), np.array([2.0])]
            ),
            lambda: test.compute_gradient([x], [[1, 2]], y, [1, 2], [np.ones([1, 2])], 0.25),
            lambda: test.compute_gradient(c, [1], c * c, [1], np.array([1.0 + 1.0j], np.complex64)),
            lambda: test.compute_gradient(single, [1, 2], single * 3.0, [1, 2], delta=0.125),
            lambda: test.compute_gradient(x, [1, 2], tf.zeros([0], tf.float64) * x[0, 0], [0]),
            lambda: test.compute_gradient(x, [2, 1], y, [1, 2]),
            lambda: test.compute_gradient(x, [1, 2], y, [1, 2], np.ones([2, 2])),
            lambda: test.compute_gradient([x, z], [[1, 2]], y, [1, 2]),
            lambda: test.compute_gradient(tf.constant([1]), [1], tf.constant([1]), [1]),
        )
        stage.attempts(
            lambda: test.compute_gradient_error(x, [1, 2], y, [1, 2], np.ones([1, 2])) < 1e-6,
            lambda: test.compute_gradient_error(x, [1, 2], x**3, [1, 2], np.ones([1, 2]), 0.5),
            lambda: test.compute_gradient_error(
                x, [1, 2], x * fed, [1, 2], extra_feed_dict={fed: [5.0, 6.0]}, delta=0.5
            ),
            lambda: test.compute_gradient_error(
                x, [1, 2], x * x * v, [1, 2], np.ones([1, 2]), 0.5, [v.initializer]
            ),
            lambda: test.compute_gradient_error(
                [x, z], [[1, 2], [1]], x * z * z, [1, 2], [np.ones([1, 2]), np.ones([1])], 1.0
            ),
            lambda: test.compute_gradient_error(
                x, [1, 2], tf.stop_gradient(y), [1, 2], np.ones([1, 2])
            ),
        )
