"""3-D pooling: second-order gradients, channels first on a GPU."""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.pooled_volumes import max_gradient, maxima, mean_gradient, means
from tests.support.gpu.gpus import fake_gpus

RANDOM = np.random.RandomState(8)
TWO = [1, 2, 2, 2, 1]


def test_second_order_gradient_is_its_transpose():
    x = RANDOM.randn(1, 4, 4, 2, 2).astype("f")
    pooled = maxima(x, TWO, TWO, "SAME")
    weights = RANDOM.randn(*pooled.shape).astype("f")
    grad = tf.constant(x)
    chosen = tf.raw_ops.MaxPool3DGradGrad(
        orig_input=x, orig_output=pooled, grad=grad, ksize=TWO, strides=TWO, padding="SAME"
    )
    with tf.Session() as session:
        result, repeated = session.run([chosen, *tf.gradients(chosen * weights, grad)])
    np.testing.assert_array_equal(result, pooled)
    np.testing.assert_array_equal(repeated, max_gradient(x, pooled, weights, TWO, TWO, "SAME"))


@pytest.mark.parametrize("kind", ["max", "mean"])
def test_channels_first_on_gpu(kind):
    x = RANDOM.randn(1, 4, 3, 5, 2).astype("f")
    pool = tf.nn.max_pool3d if kind == "max" else tf.nn.avg_pool3d
    with fake_gpus(devices=1), tf.Graph().as_default(), tf.device("/gpu:0"):
        source = tf.constant(x.transpose(0, 4, 1, 2, 3))
        y = pool(source, 2, 2, "SAME", data_format="NCDHW")
        with tf.Session() as session:
            result, grad = session.run([y, *tf.gradients(y * y, source)])
    how = (TWO, TWO, "SAME")
    expected = maxima(x, *how) if kind == "max" else means(x, *how)
    if kind == "max":
        back = max_gradient(x, expected, 2 * expected, *how)
    else:
        back = mean_gradient(x.shape, 2 * expected, *how)
    np.testing.assert_allclose(result.transpose(0, 2, 3, 4, 1), expected, rtol=1e-5)
    np.testing.assert_allclose(grad.transpose(0, 2, 3, 4, 1), back, rtol=1e-5)


@pytest.mark.parametrize("op", [tf.raw_ops.MaxPool3D, tf.raw_ops.AvgPool3D])
def test_invalid_window_rank(op):
    x = tf.placeholder(tf.float32, [1, 4, 4, 4, 1])
    with pytest.raises(ValueError, match="the stride attribute to contain 5 values, but got: 6"):
        op(input=x, ksize=[1] * 5, strides=[1] * 6, padding="SAME")
    with pytest.raises(ValueError, match="the ksize attribute to contain 5 values, but got: 6"):
        op(input=x, ksize=[1] * 6, strides=[1] * 5, padding="SAME")
