"""The gradient check of a Python function, with both Jacobians computed manually."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.autodiff.gradient_checker_v2 import compute_gradient, max_error


def test_jacobian_of_each_argument():
    x, y = np.array([1.0, 2.0]), np.array([3.0, 5.0])
    with tf.Graph().as_default(), tf.Session():
        by_gradient, by_difference = compute_gradient(lambda x, y: x * y, [x, tf.constant(y)])
    np.testing.assert_allclose(by_gradient, [np.diag(y), np.diag(x)])
    np.testing.assert_allclose(by_difference, [np.diag(y), np.diag(x)], rtol=1e-6)
    assert max_error(by_gradient, by_difference) < 1e-6


def test_wrong_gradient_is_detected():
    @tf.custom_gradient
    def wrong(x):
        return x * x, lambda grad: grad

    with tf.Graph().as_default(), tf.Session():
        assert max_error(*compute_gradient(wrong, [np.float64(3.0)])) == pytest.approx(5, rel=1e-6)


def test_empty_and_invalid_inputs():
    with tf.Graph().as_default(), tf.Session():
        result = compute_gradient(lambda x: x * x, [np.zeros([0, 2])])
        assert max_error(*result) == 0
        with pytest.raises(ValueError, match="must be a list of Tensors"):
            compute_gradient(lambda x: x, np.zeros(2))


def test_optional_arguments_keep_defaults(eager):
    x = np.array([-1.0, 2.0])
    by_gradient, by_difference = compute_gradient(tf.math.softplus, [x])
    np.testing.assert_allclose(by_gradient[0], np.diag(1 / (1 + np.exp(-x))))
    assert max_error(by_gradient, by_difference) < 1e-6
