"""Sums, means and products of short floats, as TensorFlow 1.15.5's CPU computes them: each step is rounded."""

import numpy as np
import pytest

import tfmini as tf

# dtype, shape, axes: the first two sums, and the first product of quarters around 1.
RECORDED = [
    (tf.bfloat16, (700, 2), 0, [572.0, 576.0], np.inf),
    (tf.bfloat16, (2, 1500), 1, [1216.0, 1216.0], np.inf),
    (tf.bfloat16, (3, 1, 20, 5, 1), (0, 3), [6.875, 14.6875], 3.875),
    (tf.bfloat16, (2, 300, 2), 1, [255.0, 256.0], 1.2219123274425207e23),
    (tf.bfloat16, (3, 5, 4, 2), (0, 2), [7.46875, 8.75], 4.625),
    (tf.bfloat16, (2, 0), 1, [0.0, 0.0], 1.0),
    (tf.float16, (700, 2), 0, [602.5, 601.0], np.inf),
    (tf.float16, (2, 1500), 1, [1292.0, 1297.0], np.inf),
    (tf.float16, (3, 20, 5), (0, 2), [6.84765625, 14.640625], 3.8046875),
    (tf.float16, (2, 300, 2), 1, [258.0, 257.75], np.inf),
    (tf.float16, (3, 5, 4, 2), (0, 2), [7.47265625, 8.71875], 4.53125),
]


@pytest.mark.parametrize(("dtype", "shape", "axes", "sums", "product"), RECORDED)
def test_the_order_of_the_steps(dtype, shape, axes, sums, product):
    count = np.prod(shape)
    x = tf.reshape(tf.cast((np.arange(count) * 37 % 101 / 32 - 0.7).astype("f"), dtype), shape)
    found = [tf.reduce_sum(x, axes), tf.reduce_prod(x / 4 + 1, axes)]
    with tf.Session() as session:
        found = session.run([tf.reshape(tf.cast(each, tf.float32), [-1]) for each in found])
    np.testing.assert_array_equal(found[0][:2], sums)
    assert found[1][0] == product


def test_the_gradient_of_many_repetitions():
    x = tf.constant([1.0, 2.0], tf.bfloat16)
    (gradient,) = tf.gradients(tf.reduce_sum(tf.tile(x, [700])), x)
    with tf.Session() as session:
        assert session.run(tf.cast(gradient, tf.float32)).tolist() == [256, 256]
