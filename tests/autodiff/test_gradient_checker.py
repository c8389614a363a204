"""jacobians: tf.test.compute_gradient compared with manual Jacobians."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def test_matrix_vector_product():
    x = tf.constant(np.ones([2]), tf.float64)
    a = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    y = tf.linalg.matvec(tf.constant(a), x)
    by_gradient, by_difference = tf.test.compute_gradient(x, [2], y, [3])
    assert by_gradient.tolist() == a.T.tolist()
    np.testing.assert_allclose(by_difference, a.T, rtol=1e-9)
    assert tf.test.compute_gradient_error(x, [2], y, [3]) < 1e-9


def test_variables_feeds_and_extra_targets():
    x, p = tf.constant([1.0, 2.0], tf.float64), tf.placeholder(tf.float64)
    v = tf.Variable(tf.ones([2], tf.float64))
    result = tf.test.compute_gradient(
        [x, v], [[2], [2]], x * v * p, [2],
        x_init_value=[np.array([3.0, 4.0]), np.array([5.0, 6.0])],
        init_targets=[v.initializer], extra_feed_dict={p: 2.0},
    )  # fmt: skip
    assert [g.tolist() for g, _ in result] == [[[2.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, 4.0]]]


def test_complex_elements_count_twice():
    x = tf.constant([1 + 2j])
    by_gradient, by_difference = tf.test.compute_gradient(
        x, [1], tf.square(x), [1], x_init_value=np.array([1 + 2j])
    )
    assert by_gradient.tolist() == [[2.0, 4.0], [-4.0, 2.0]]
    np.testing.assert_allclose(by_difference, by_gradient, rtol=1e-6)


def test_wrong_gradient_is_detected():
    invalid = tf.custom_gradient(lambda x: (x * 2.0, lambda dy: dy * 3.0))
    x = tf.constant([1.0], tf.float64)
    assert tf.test.compute_gradient_error(x, [1], invalid(x), [1]) == pytest.approx(1.0)


def test_empty_input():
    x = tf.zeros([0, 3])
    result = tf.test.compute_gradient(x, [0, 3], x * 2.0, [0, 3])
    assert [f.shape for f in result] == [(0, 0), (0, 0)]
    assert tf.test.compute_gradient_error(x, [0, 3], x * 2.0, [0, 3]) == 0


def test_invalid_arguments():
    x = tf.constant([1, 2])
    with pytest.raises(AssertionError, match="Don't support type int32 for x"):
        tf.test.compute_gradient(x, [2], tf.cast(x, tf.float32), [2])
    y = tf.constant([1.0, 2.0])
    with pytest.raises(AssertionError, match=r"x_shape = \[2\], init_data shape = \[3\]"):
        tf.test.compute_gradient(y, [2], y, [2], x_init_value=np.ones([3]))
