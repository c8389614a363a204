"""tf.hessians through branches that did not run, which its loop reads, and through a gradient rule with a tape."""

import numpy as np

import tfmini as tf


def test_hessians_through_branches():
    x = tf.placeholder(tf.float64, [2])
    y = tf.cond(x[0] > 0, lambda: tf.cond(x[1] > 0, lambda: x**3, lambda: x**2 * x[0]), lambda: x)
    (hessian,) = tf.hessians(tf.reduce_sum(y), x)
    with tf.Session() as session:
        for fed, expected in (
            ([1, 2], [6, 0, 0, 12]),
            ([1, -2], [6, -4, -4, 2]),
            ([-1, 2], [0] * 4),
        ):
            np.testing.assert_allclose(session.run(hessian, {x: fed}).ravel(), expected)


def test_hessian_of_batch_normalization():
    x = tf.constant([0.15, -0.1, 0.2], shape=[3, 1, 1, 1])
    loss = tf.reduce_sum(tf.sin(tf.nn.fused_batch_norm(x, [0.7], [0.2])[0]))
    with tf.Session() as session:
        row = session.run(tf.hessians(loss, x)[0][0]).ravel()
    np.testing.assert_allclose(row, [-10.300196, 3.038279, 7.261917], rtol=1e-5)  # TensorFlow's
