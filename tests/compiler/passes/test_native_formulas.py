"""Ops with their own formulas in the native library, and large products that read the same array."""

import numpy as np
import pytest

import tfmini as tf
from tests.compiler.passes.test_fuse_native import on_both_ways
from tests.executor.programs import kinds, lowered
from tfmini._src.devices.host.native.elementwise_program import operations

pytestmark = pytest.mark.skipif(not operations(), reason="the CPU's kernels are not built here")

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 88.8, -104.0, 1e-3, -1e-3, 14.0, -14.0]
LARGE = [520, 512]

# name -> (function, the permitted relative and absolute difference)
OPS = {
    "maximum": (tf.maximum, 0, 0),
    "minimum": (tf.minimum, 0, 0),
    "floordiv": (tf.floordiv, 0, 0),
    "elu": (lambda x, y: tf.nn.elu(x), 2.0**-22, 2.0**-23),
    "elu_grad": (lambda x, y: tf.gradients(tf.nn.elu(x), x, y)[0], 2.0**-22, 2.0**-16),
    "softplus": (lambda x, y: tf.nn.softplus(x), 2.0**-21, 2.0**-22),
    "lgamma": (lambda x, y: tf.lgamma(tf.abs(x)), 2.0**-22, 0),
    "digamma": (lambda x, y: tf.digamma(tf.abs(x)), 2.0**-22, 0),
    "sin": (lambda x, y: tf.sin(x), 2.0**-22, 0),
}


@pytest.mark.parametrize("name", OPS)
def test_formulas_match_kernels(monkeypatch, name):
    function, *apart = OPS[name]
    rng = np.random.RandomState(3)
    feeds = [
        np.where(rng.rand(*LARGE) < 0.2, rng.choice(SPECIAL, LARGE), rng.randn(*LARGE))
        for _ in range(2)
    ]
    x, y = (tf.placeholder(tf.float32, LARGE) for _ in feeds)
    result = function(x, y)
    assert "fused" in kinds(lowered(result, feeds=[x, y]))
    got, expected = on_both_ways(
        monkeypatch, result, dict(zip((x, y), [f.astype("f") for f in feeds]))
    )
    np.testing.assert_allclose(got, expected, *apart)


def test_maximum_of_nan_returns_first_operand(session):
    x = np.resize(np.array([np.nan, 1, np.nan, 2], "f"), LARGE)
    y = np.resize(np.array([3, np.nan, np.nan, 1], "f"), LARGE)
    a, b = tf.placeholder(tf.float32, LARGE), tf.placeholder(tf.float32, LARGE)
    for function in (tf.maximum, tf.minimum):
        got = session.run(function(a, b), {a: x, b: y})[0, :4]
        np.testing.assert_array_equal(got[:3], x[0, :3])
        assert got[3] == (2 if function is tf.maximum else 1)


@pytest.mark.parametrize("dims", [[600, 512], [None, 512], [None, None]])
def test_column_biases(session, dims):
    value, bias = tf.placeholder(tf.float32, dims), tf.placeholder(tf.float32, dims[1:])
    result = tf.nn.relu(tf.nn.bias_add(value, bias)) * 2.0
    assert ("BiasAdd" in kinds(lowered(result, feeds=[value, bias]))) == (dims[1] is None)
    x, b = np.random.RandomState(0).randn(600, 512).astype("f"), np.arange(512, dtype="f")
    got = session.run(result, {value: x, bias: b})
    np.testing.assert_array_equal(got, np.maximum(x + b, 0) * 2)
    if dims[1] is None:
        with pytest.raises(tf.errors.InvalidArgumentError, match="as many biases as the last"):
            session.run(result, {value: x, bias: b[:1]})


def test_second_axis_biases(session):
    value, bias = tf.placeholder(tf.float32, [3, 30, 100, 30]), tf.placeholder(tf.float32, [30])
    result = tf.nn.bias_add(value, bias, "NCHW")
    x, b = np.random.RandomState(0).randn(3, 30, 100, 30).astype("f"), np.arange(30, dtype="f")
    np.testing.assert_array_equal(session.run(result, {value: x, bias: b}), x + b[:, None, None])


def test_large_products_sharing_input_are_one_call(monkeypatch):
    x, y, z = (tf.placeholder(tf.float32, LARGE) for _ in range(3))
    fetches = [x * y, z * y, z * x]
    assert kinds(lowered(*fetches, feeds=[x, y, z])).count("fused") == 1
    rng = np.random.RandomState(0)
    feeds = {each: rng.randn(*LARGE).astype("f") for each in (x, y, z)}
    got, expected = on_both_ways(monkeypatch, fetches, feeds)
    np.testing.assert_array_equal(got, expected)


def test_small_products_are_not_joined():
    x, y, z = (tf.placeholder(tf.float32, [8, 8]) for _ in range(3))
    assert "fused" not in kinds(lowered(x * y, z * y, feeds=[x, y, z]))


def test_product_read_by_other_is_not_joined(session):
    x, y = (tf.placeholder(tf.float32, LARGE) for _ in range(2))
    first = x * y
    second = x * tf.reduce_max(first)
    assert kinds(lowered(first, second, feeds=[x, y])).count("fused") == 2
    rng = np.random.RandomState(0)
    a, b = rng.randn(2, *LARGE).astype("f")
    got = session.run([first, second], {x: a, y: b})
    np.testing.assert_array_equal(got[0], a * b)
    np.testing.assert_array_equal(got[1], a * (a * b).max())


def test_product_is_computed_before_variable_changes(session):
    variable = tf.Variable(np.ones(LARGE, "f"), use_resource=False)
    x = tf.placeholder(tf.float32, LARGE)
    before = x * variable
    with tf.control_dependencies([before]):
        change = tf.assign_add(variable, tf.ones(LARGE))
    with tf.control_dependencies([change]):
        after = x * variable.read_value()
    session.run(variable.initializer)
    inputs = np.random.RandomState(0).randn(*LARGE).astype("f")
    got = session.run([before, after], {x: inputs})
    np.testing.assert_array_equal(got, [inputs, inputs * 2])
