"""Activations: edge cases, dtypes, and kernels that reuse unneeded inputs."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles.numeric_gradient import check
from tfmini._src.graph.opdef import raw

LARGE = np.random.RandomState(0).randn(5000).astype("f") * 4
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 1.0], "f")


def run(*fetches):
    with tf.Session() as session:
        results = session.run(list(fetches))
    return results if len(results) > 1 else results[0]


@pytest.mark.parametrize("size", [5, 5000])
def test_nan_and_infinity(size):
    """TensorFlow 1.15.5's values; large arrays use different instructions than small ones."""
    x = np.resize(SPECIAL, size)
    expected = {
        "Relu": [np.nan, np.inf, 0, 0, 1],
        "Relu6": [np.nan, 6, 0, 0, 1],
        "Elu": [np.nan, np.inf, -1, 0, 1],
        "Selu": [np.nan, np.inf, -1.7580993, 0, 1.050701],
        "Softplus": [np.nan, np.inf, 0, 0.6931472, 1.3132616],
        "Softsign": [np.nan, np.nan, np.nan, 0, 0.5],
        "LeakyRelu": [np.nan, np.inf, -np.inf, 0, 1],
    }
    for name, values in expected.items():
        found = run(getattr(raw, name)(x))
        np.testing.assert_allclose(found, np.resize(values, size), rtol=1e-6, err_msg=name)


def test_gradients_of_nan_and_infinity():
    ones = np.ones(5, "f")
    assert run(raw.ReluGrad(ones, SPECIAL)).tolist() == [0, 1, 0, 0, 1]
    assert run(raw.Relu6Grad(ones, SPECIAL)).tolist() == [0, 0, 0, 0, 1]
    assert run(raw.LeakyReluGrad(ones, SPECIAL)).tolist() == pytest.approx([0.2, 1, 0.2, 0.2, 1])
    assert run(raw.EluGrad(ones, SPECIAL)).tolist() == [1, 1, -np.inf, 1, 1]
    found = run(raw.SeluGrad(ones, SPECIAL)).tolist()
    assert found == pytest.approx([1.050701, 1.050701, -np.inf, 1.050701, 1.050701])


@pytest.mark.parametrize("alpha", [-1.0, 0.0, 0.3, 1.0, 2.5])
def test_leaky_relu_slopes(alpha):
    x = tf.constant(LARGE)
    y, gradient = run(tf.nn.leaky_relu(x, alpha), tf.gradients(tf.nn.leaky_relu(x, alpha), x)[0])
    np.testing.assert_array_equal(y, np.where(LARGE > 0, LARGE, LARGE * np.float32(alpha)))
    np.testing.assert_array_equal(gradient, np.where(LARGE > 0, 1, np.float32(alpha)))


FORMULAS = {
    "Relu": lambda x: np.maximum(x, 0),
    "Relu6": lambda x: np.clip(x, 0, 6),
    "LeakyRelu": lambda x: np.where(x > 0, x, np.float32(0.2) * x),
    "Elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "Selu": lambda x: np.where(x > 0, 1.0507009873554805, 1.7580993408473766) * FORMULAS["Elu"](x),
    "Softplus": lambda x: np.log1p(np.exp(x)),
    "Softsign": lambda x: x / (1 + np.abs(x)),
}


@pytest.mark.parametrize("kind", ["float16", "float64"])
@pytest.mark.parametrize("name", FORMULAS)
def test_other_float_dtypes_are_preserved(name, kind):
    x = LARGE[:3000].astype(kind)
    found = run(getattr(raw, name)(tf.constant(x)))
    assert found.dtype == x.dtype
    precise = FORMULAS[name](x.astype("d"))
    last_digit = float(np.finfo(x.dtype).eps)
    np.testing.assert_allclose(found.astype("d"), precise, rtol=4 * last_digit, atol=4 * last_digit)


@pytest.mark.parametrize("name", ["relu", "softmax", "log_softmax"])
def test_inputs_are_not_overwritten(name):
    function = getattr(tf.nn, name)
    fed = tf.placeholder(tf.float32, [None, None])
    variable = tf.Variable(LARGE.reshape(50, 100))
    doubled = fed * 2.0
    with tf.Session() as session:
        session.run(variable.initializer)
        x = LARGE.reshape(50, 100).copy()
        once, twice = session.run([function(doubled), function(doubled)], {fed: x})
        np.testing.assert_array_equal(once, twice)
        kept, _ = session.run([doubled, function(doubled)], {fed: x})
        np.testing.assert_array_equal(kept, x * 2)
        session.run([function(fed), function(variable)], {fed: x})
        np.testing.assert_array_equal(x, session.run(variable))
        alone = session.run(function(doubled), {fed: x})
    np.testing.assert_array_equal(alone, once)


def test_crelu_and_swish():
    x = tf.constant([[1.0, -2.0]])
    assert run(tf.nn.crelu(x)).tolist() == [[1, 0, 0, 2]]
    assert run(tf.nn.crelu(x, axis=0)).tolist() == [[1, 0], [0, 2]]
    check(lambda t: [tf.nn.swish(t)], [np.array([-2.0, 0.3, 4.0])], order=2)


@pytest.mark.parametrize(
    "kind, name, x, values",
    [
        # Eigen's small epsilon for float16 drops a term.
        ("half", "softplus", [4.996, 5.496, 6.0, -7.5], [5.004, 5.5, 6.004, 0.000553]),
        ("bfloat16", "softplus", [-6.0, -3.3, 2.5, 100.0], [0.0, 0.0383301, 2.578125, np.inf]),
        ("bfloat16", "sigmoid", [-6.0, -3.3, 2.5, 100.0], [0.00195312, 0.0351562, 0.921875, 1.0]),
        ("bfloat16", "elu", [-6.0, -3.3, 2.5, 100.0], [-0.99609375, -0.96484375, 2.5, 100.0]),
    ],
)
def test_short_floats_round_as_in_tensorflow(kind, name, x, values):
    with tf.Graph().as_default(), tf.Session() as session:
        result = getattr(tf.nn, name)(tf.cast(x, kind))
        assert session.run(tf.cast(result, tf.float32)).tolist() == pytest.approx(values, rel=1e-3)
