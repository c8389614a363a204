"""User-defined bijectors."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

c = tf.contrib.distributions


class Cube(c.bijectors.Bijector):
    """y = x^3, with only a forward determinant."""

    def __init__(self):
        super().__init__(forward_min_event_ndims=0)

    def _forward(self, x):
        return x**3.0

    def _inverse(self, y):
        return y ** (1.0 / 3.0)

    def _forward_log_det_jacobian(self, x):
        return tf.log(3.0 * x**2.0)


def test_subclass():
    cube = Cube()
    assert cube.name == "cube"
    x = tf.constant([[1.0, 2.0]])
    y = cube.forward(x)
    assert cube.forward(x) is y
    assert cube.inverse(y) is x
    log_det = cube.inverse_log_det_jacobian(y, event_ndims=1)
    with pytest.raises(ValueError, match=r"event_ndims \(-1\) must be larger than min_event_ndims"):
        cube.inverse_log_det_jacobian(y, event_ndims=-1)
    assert cube.inverse_log_det_jacobian(y, event_ndims=1) is log_det
    actual = run([log_det, cube.forward_log_det_jacobian(x, 0), cube.inverse(tf.constant([27.0]))])
    np.testing.assert_allclose(actual[0], [-np.log(3.0) - np.log(12.0)], rtol=1e-6)
    np.testing.assert_allclose(actual[1], [[np.log(3.0), np.log(12.0)]], rtol=1e-6)
    np.testing.assert_allclose(actual[2], [3.0], rtol=1e-6)


def test_subclass_without_log_det_jacobian():
    class Half(c.bijectors.Bijector):
        """Only forward."""

        def __init__(self):
            super().__init__(forward_min_event_ndims=0)

    with pytest.raises(NotImplementedError, match="inverse_log_det_jacobian not implemented"):
        Half().inverse_log_det_jacobian(1.0, 0)
    with pytest.raises(TypeError, match="abstract class ConditionalBijector"):
        c.bijectors.ConditionalBijector(forward_min_event_ndims=0)


def invertible():
    b = tf.contrib.distributions.bijectors
    doubled = {"forward_fn": lambda x: 2 * x, "inverse_fn": lambda y: y / 2}
    doubled["inverse_log_det_jacobian_fn"] = lambda y: -tf.log(2.0) * tf.ones_like(y)
    return {
        "affine": (b.AffineScalar(1.0, -2.0, validate_args=True), lambda x: 1 - 2 * x),
        "chain": (b.Chain([b.AffineScalar(1.0), b.Exp()]), lambda x: 1 + np.exp(x)),
        "inline": (b.Inline(forward_min_event_ndims=0, **doubled), lambda x: 2 * x),
        "invert": (b.Invert(b.Softsign()), lambda x: x / (1 - np.abs(x))),
        "kumaraswamy": (b.Kumaraswamy(2.0, 3.0), lambda x: (1 - (1 - x) ** (1 / 3)) ** 0.5),
        "nothing": (b.Chain(), lambda x: x),
        "skewed": (b.SinhArcsinh(0.5, 2.0), lambda x: np.sinh((np.arcsinh(x) + 0.5) * 2)),
        "softplus": (b.Softplus(0.5, validate_args=True), lambda x: 0.5 * np.log1p(np.exp(2 * x))),
        "softsign": (b.Softsign(validate_args=True), lambda x: x / (1 + np.abs(x))),
    }


X = np.array([0.1, 0.4, 0.7])


@pytest.mark.parametrize("name", [*invertible()])
def test_forward_and_inverse_round_trip(name):
    bijector, formula = invertible()[name]
    x = tf.constant(X, tf.float32)
    y = bijector.forward(x)
    restored = bijector.inverse(tf.identity(y))
    log_det = bijector.forward_log_det_jacobian(tf.identity(x), event_ndims=0)
    back = bijector.inverse_log_det_jacobian(tf.identity(y), event_ndims=0)
    result = run([y, restored, log_det + tf.zeros([3]), back + tf.zeros([3])])
    gradient = (formula(X + 1e-6) - formula(X - 1e-6)) / 2e-6
    log_slope = np.log(np.abs(gradient))
    for value, expected in zip(result, [formula(X), X, log_slope, -log_slope]):
        np.testing.assert_allclose(value, expected, rtol=2e-4, atol=2e-5)


def test_permutation():
    b = tf.contrib.distributions.bijectors
    order = b.Permute([2, 0, 1])
    y = order.forward([[1.0, 2.0, 3.0]])
    restored = order.inverse(tf.identity(y))
    assert run([y, restored])[0].tolist() == [[3.0, 1.0, 2.0]]
    assert run(restored).tolist() == [[1.0, 2.0, 3.0]]
    assert run(order.forward_log_det_jacobian([[1.0, 2.0, 3.0]], event_ndims=1)) == 0
    with pytest.raises(ValueError, match="exactly one of each"):
        b.Permute([0, 2])
    with pytest.raises(TypeError, match="should be `int`-like"):
        b.Permute([0.0, 1.0])
    fed = tf.placeholder_with_default([0, 0], [None])
    with pytest.raises(tf.errors.InvalidArgumentError, match="exactly one of each"):
        run(b.Permute(fed, validate_args=True).forward([1.0, 2.0]))
