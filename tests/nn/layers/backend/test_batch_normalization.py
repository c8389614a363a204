import numpy as np
import pytest

import tfmini as tf
from tfmini.keras import backend, constraints


@pytest.mark.parametrize("shape, axes", [((5, 4, 3, 2), (0, 1, 2)), ((5, 3, 2), (0, 1))])
@pytest.mark.parametrize("scaled", [True, False])
def test_normalization_by_batch_and_given_moments(shape, axes, scaled):
    x = np.random.RandomState(0).rand(*shape).astype("f")
    gamma, beta = (np.array(v, "f") if scaled else None for v in ([2, 3], [1, -1]))
    inputs = [v if v is None else tf.constant(v) for v in (gamma, beta)]
    normed, mean, variance = backend.normalize_batch_in_training(tf.constant(x), *inputs, axes)
    alike = backend.batch_normalization(
        tf.constant(x), tf.constant(x.mean(axes)), tf.constant(x.var(axes)), *inputs[::-1]
    )
    expected = (x - x.mean(axes)) / np.sqrt(x.var(axes) + 1e-3)
    if scaled:
        expected = expected * gamma + beta
    with tf.Session() as session:
        result, mean, same = session.run([normed, mean, alike])
    np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(same, expected, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(mean, x.mean(axes), rtol=1e-5)


def test_moments_of_other_axes_broadcast():
    x = np.random.RandomState(0).rand(5, 3, 2).astype("f")
    normed, _, _ = backend.normalize_batch_in_training(tf.constant(x), None, None, [0, 2])
    mean, variance = (f(x, (0, 2)).reshape(1, 3, 1) for f in (np.mean, np.var))
    with tf.Session() as session:
        np.testing.assert_allclose(
            session.run(normed), (x - mean) / np.sqrt(variance + 1e-3), rtol=1e-4, atol=1e-5
        )


def test_moving_average_starts_without_bias():
    variable = tf.Variable([0.0, 0.0])
    update = backend.moving_average_update(variable, tf.constant([3.0, 4.0]), 0.9)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(update), [3.0, 4.0], rtol=1e-5)


@pytest.mark.parametrize("order", ["channels_last", "channels_first"])
@pytest.mark.parametrize("settings", [{"strides": (2, 2)}, {"dilation_rate": (2, 2)}])
def test_transposed_convolution_is_convolution_gradient(order, settings):
    random = np.random.RandomState(0)
    kernel = tf.constant(random.rand(3, 3, 2, 4).astype("f"))
    images = tf.constant(random.rand(1, 9, 9, 2).astype("f"))
    outputs = backend.conv2d(images, kernel, padding="valid", **settings)
    grad = random.rand(*outputs.shape.as_list()).astype("f")
    (expected,) = tf.gradients(outputs, images, tf.constant(grad))
    inputs, shape = tf.constant(grad), (None, 9, 9, 2)
    if order == "channels_first":
        inputs, shape = tf.transpose(inputs, (0, 3, 1, 2)), (None, 2, 9, 9)
    result = backend.conv2d_transpose(inputs, kernel, shape, data_format=order, **settings)
    if order == "channels_first":
        result = tf.transpose(result, (0, 2, 3, 1))
    with tf.Session() as session:
        np.testing.assert_allclose(*session.run([result, expected]), rtol=1e-4)


@pytest.mark.parametrize("size, rings", [(4, [15, 5]), (5, [18, 12, 6])])
def test_radial_constraint(size, rings):
    kernel = np.arange(size * size, dtype="f").reshape(size, size, 1, 1)
    constraint = constraints.get("radial_constraint")
    depth = np.minimum(*np.indices((size, size)))
    depth = np.minimum(depth, depth[::-1, ::-1])
    with tf.Session() as session:
        result = session.run(constraint(tf.constant(kernel)))
    np.testing.assert_array_equal(result[:, :, 0, 0], np.array(rings)[depth])
    with pytest.raises(ValueError, match="must be of rank 4"):
        constraint(tf.zeros([3, 3]))
