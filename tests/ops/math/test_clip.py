"""Clipping by value and by norm."""

import numpy as np

import tfmini as tf


def run(*fetches):
    with tf.Session() as session:
        return session.run(list(fetches))


def test_clip_by_norm_keeps_small_norm_and_zero_gradient():
    x = tf.constant([0.0, 0.0])
    clipped = tf.clip_by_norm(x, 2.0)
    values = run(clipped, tf.gradients(clipped, x)[0], tf.clip_by_norm([0.3, 0.4], 2.0))
    assert values[0].tolist() == [0, 0]
    assert values[1].tolist() == [1, 1]
    np.testing.assert_allclose(values[2], [0.3, 0.4], rtol=1e-6)


def test_infinite_global_norm_yields_nan():
    clipped, norm = tf.clip_by_global_norm([tf.constant([np.inf]), tf.constant([1.0])], 1.0)
    values = run(*clipped, norm)
    assert np.isnan(values[0]).all() and np.isnan(values[1]).all() and np.isinf(values[2])


def test_norm_of_doubles_is_double():
    (norm,) = run(tf.global_norm([tf.constant([3.0], tf.float64), tf.constant([4.0], tf.float64)]))
    assert norm == 5.0 and norm.dtype == np.float64
