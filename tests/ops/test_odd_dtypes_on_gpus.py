"""GPU ops on NaN and on dtypes without custom kernels: numpy's results, or TensorFlow's rules."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

pytestmark = pytest.mark.usefixtures("gpu")

NAN = np.nan


def run(function, *values):
    """Runs `function` on placeholders, on the GPU."""
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.placeholder(np.asarray(v).dtype, np.shape(v)) for v in values]
        with tf.device("/gpu:0"):
            node = function(*inputs)
        return session.run(node, dict(zip(inputs, values)))


@pytest.mark.parametrize("kind", ["f2", "f"])
@pytest.mark.parametrize("exclusive, reverse", [(False, True), (True, False)])
def test_cumulative_sums_and_products(kind, exclusive, reverse):
    x = np.array([[1, 2, 3], [2, 1, 2]], kind)
    for function, scan, start in (
        (tf.cumsum, np.cumsum, 0),
        (tf.cumprod, np.cumprod, 1),
    ):
        inputs = x[:, ::-1] if reverse else x
        expected = scan(inputs, 1)
        if exclusive:
            expected = np.concatenate([np.full((2, 1), start), expected[:, :-1]], 1)
        expected = expected[:, ::-1] if reverse else expected
        result = run(lambda x, f=function: f(x, 1, exclusive, reverse), x)
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("kind", ["f", "f2"])
def test_maximum_and_minimum_with_nan(kind):
    """NaN in the first operand propagates, in the second it does not, as in TensorFlow's comparisons."""
    x, y = np.array([1, NAN, 3, NAN], kind), np.array([2, 2, NAN, NAN], kind)
    np.testing.assert_array_equal(run(tf.maximum, x, y), np.array([2, NAN, 3, NAN], kind))
    np.testing.assert_array_equal(run(tf.minimum, x, y), np.array([1, NAN, 3, NAN], kind))


@pytest.mark.parametrize("kind", ["i4"])
def test_maximum_and_minimum_of_integers(kind):
    x, y = np.array([1, -5, 3], kind), np.array([2, -7, 3], kind)
    np.testing.assert_array_equal(run(tf.maximum, x, y), [2, -5, 3])
    np.testing.assert_array_equal(run(tf.minimum, x, y), [1, -7, 3])


@pytest.mark.parametrize("kind", ["f2", "f"])
@pytest.mark.parametrize("axis", [0, 1])
def test_argmax_ignores_nan(kind, axis):
    x = np.array([[1, 4, 9], [2, NAN, -2]], kind)
    clean = np.where(np.isnan(x), -np.inf, x), np.where(np.isnan(x), np.inf, x)
    result = run(lambda x: (tf.argmax(x, axis), tf.argmin(x, axis, output_type=tf.int32)), x)
    np.testing.assert_array_equal(result[0], clean[0].argmax(axis))
    np.testing.assert_array_equal(result[1], clean[1].argmin(axis))
    assert (result[0].dtype, result[1].dtype) == (np.int64, np.int32)


def test_complex_segment_sums():
    x = np.array([[1 + 2j, 3j], [4, -1j], [0.5, 1 - 1j]], "F")
    result = run(lambda x, i: tf.math.unsorted_segment_sum(x, i, 3), x, np.array([2, 0, 2]))
    np.testing.assert_array_equal(result, np.stack([x[1], 0 * x[1], x[0] + x[2]]))


@pytest.mark.parametrize("kind", ["f2", "f"])
@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_bias_add_and_gradient(kind, layout):
    x = np.arange(24).reshape(1, 2, 3, 4).astype(kind)
    bias = np.arange(2 if layout == "NCHW" else 4).astype(kind)
    spread = bias.reshape(2, 1, 1) if layout == "NCHW" else bias
    np.testing.assert_array_equal(
        run(lambda x, b: raw.BiasAdd(x, b, data_format=layout), x, bias), x + spread
    )
    axes = (0, 2, 3) if layout == "NCHW" else (0, 1, 2)
    grad = run(lambda x: raw.BiasAddGrad(x, data_format=layout), x)
    np.testing.assert_array_equal(grad, x.sum(axes))


@pytest.mark.parametrize("kind", ["f2", "f"])
def test_cross_entropies(kind):
    logits = np.array([[1, 2, -1], [0.5, 0, 3]], kind)
    labels = np.array([[0.25, 0.5, 0.25], [0, 0, 1]], kind)
    wide = logits.astype("d")
    softmax = np.exp(wide) / np.exp(wide).sum(1, keepdims=True)
    loss, back = run(lambda x, y: tuple(raw.SoftmaxCrossEntropyWithLogits(x, y)), logits, labels)
    np.testing.assert_allclose(loss, -(labels * np.log(softmax)).sum(1), rtol=5e-3)
    np.testing.assert_allclose(back, softmax - labels, atol=2e-3)
    positions = np.array([2, 3])
    loss, back = run(
        lambda x, y: tuple(raw.SparseSoftmaxCrossEntropyWithLogits(x, y)), logits, positions
    )
    np.testing.assert_allclose(loss, [-np.log(softmax[0, 2]), NAN], rtol=5e-3)
    np.testing.assert_allclose(back[0], softmax[0] - [0, 0, 1], atol=2e-3)
    assert np.isnan(back[1]).all() and loss.dtype == back.dtype == np.dtype(kind)


@pytest.mark.parametrize("kind", ["f2", "f"])
def test_relu_gradient(kind):
    grad, x = np.array([1, 2, 3], kind), np.array([-1, 0, 5], kind)
    np.testing.assert_array_equal(run(lambda g, x: raw.ReluGrad(g, x), grad, x), [0, 0, 3])


def test_negative_last_segment_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="segment ids must be >= 0"):
        run(tf.math.segment_sum, np.ones((2, 2), "f"), np.array([-2, -1], "i"))


def test_gather_from_scalar_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="params must be at least 1 dimension"):
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32)
            with tf.device("/gpu:0"):
                node = raw.Gather(x, tf.placeholder_with_default(0, []))
            session.run(node, {x: 1.0})
