"""Bias addition: rows of few channels joined, in place, and summed gradients."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tests.support.sessions import run
from tfmini._src.ops.nn.bias_add import bias_add_v1


@cases.in_one_test
@pytest.mark.parametrize(
    "shape",
    [(2, 3), (40, 30, 16), (1200, 16), (1201, 16), (3, 7000), (5, 1, 1, 4), (0, 3), (20000, 1)],
)
@pytest.mark.parametrize("kind", ["f", "d", "i4", "F"])
def test_every_width(shape, kind):
    random = np.random.RandomState(0)
    x = (random.rand(*shape) * 9).astype(kind)
    b = (random.rand(shape[-1]) * 9).astype(kind)
    fed = tf.placeholder(x.dtype, [None] * len(shape))
    y = tf.nn.bias_add(fed, b)
    in_place = tf.nn.bias_add(fed * fed.dtype.as_numpy_dtype(2), b)
    sums = fed if kind == "i4" else tf.gradients(y, y.op.inputs[1], grad_ys=fed)[0]
    before = x.copy()
    result = run([y, in_place, sums], {fed: x})
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(result[0], x + b, rtol=1e-6)
    np.testing.assert_allclose(result[1], x * np.array(2, kind) + b, rtol=1e-6)
    if kind != "i4":
        expected = x.reshape(-1, shape[-1]).sum(0, dtype="D" if kind == "F" else "d")
        np.testing.assert_allclose(result[2], expected, rtol=1e-5)


def test_empty_channels_first():
    x = tf.placeholder(tf.float32, [2, 3, None])
    y = tf.nn.bias_add(x, [1.0, 2.0, 3.0], data_format="NCW")
    gradient = tf.gradients(y, y.op.inputs[1])[0]
    result = run([y, gradient], {x: np.zeros((2, 3, 0))})
    assert result[0].shape == (2, 3, 0) and result[1].tolist() == [0, 0, 0]


def test_bias_of_every_scalar_dtype():
    for kind in (np.uint8, np.int16, np.float16):
        result = run(tf.nn.bias_add(np.ones((2, 3), kind), np.arange(3).astype(kind)))
        assert result.dtype == kind and result[1].tolist() == [1, 2, 3]


def test_bias_list_has_value_dtype():
    x = tf.constant([[0.5, 1.5]])
    for adds in (tf.nn.bias_add, bias_add_v1):
        assert run(adds(x, [1, 2])).tolist() == [[1.5, 3.5]]
