"""tf.hessians against differences of gradients, and what it refuses."""

import numpy as np
import pytest

import tfmini as tf


def test_against_a_hand_calculation():
    x = tf.placeholder(tf.float64, [None], name="x")
    (hessian,) = tf.hessians(tf.reduce_prod(x) + tf.reduce_sum(x**3), x)
    with tf.Session() as session:
        found = session.run(hessian, {x: [1.0, 2.0, 3.0]})
    np.testing.assert_allclose(found, [[6, 3, 2], [3, 12, 1], [2, 1, 18]])


def test_a_matrix_gives_its_shape_twice():
    x = tf.constant(np.arange(6.0).reshape(2, 3))
    (hessian,) = tf.hessians(tf.reduce_sum(x**2), [x])
    with tf.Session() as session:
        np.testing.assert_allclose(
            session.run(hessian), 2 * np.eye(6).reshape(2, 3, 2, 3), atol=1e-12
        )


def test_what_has_no_second_gradient():
    x = tf.constant([0.5, 2.0])
    with pytest.raises(LookupError, match="No gradient defined for operation"):
        tf.hessians(tf.nn.softsign(x), x)
