"""Normalization over several axes and in virtual batches: hand-computed moving averages."""

import numpy as np
import pytest

import tfmini as tf


def test_several_axes_share_moment_shape():
    values = np.random.RandomState(0).rand(2, 3, 4).astype("f")
    x = tf.placeholder(tf.float32, [2, 3, 4])
    layer = tf.keras.layers.BatchNormalization(axis=[1, 2], momentum=0.5)
    in_training, later = layer(x, training=True), layer(x, training=False)
    mean, variance = values.mean(0), values.var(0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        result = session.run(in_training, {x: values})
        np.testing.assert_allclose(result, (values - mean) / np.sqrt(variance + 1e-3), rtol=1e-4)
        session.run(layer.updates, {x: values})
        moving = session.run([layer.moving_mean, layer.moving_variance])
        np.testing.assert_allclose(moving[0], mean[None] / 2, rtol=1e-5)
        np.testing.assert_allclose(moving[1], (1 + variance[None]) / 2, rtol=1e-5)
        result = session.run(later, {x: values})
    expected = (values - mean / 2) / np.sqrt((1 + variance) / 2 + 1e-3)
    np.testing.assert_allclose(result, expected, rtol=1e-4)


def test_virtual_batches_have_separate_moments():
    values = np.arange(8.0).reshape(4, 2)
    x = tf.placeholder(tf.float32, [4, 2])
    layer = tf.layers.BatchNormalization(virtual_batch_size=2, momentum=0.5)
    normed = layer(x, training=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        result = session.run(normed, {x: values})
        np.testing.assert_allclose(result, np.outer([-1, -1, 1, 1], [0.999875] * 2), rtol=1e-5)
        session.run(layer.updates, {x: values})
        moving = session.run([layer.moving_mean, layer.moving_variance])
    np.testing.assert_allclose(moving, [[[[1.5, 2.0]]], [[[2.5, 2.5]]]])


@pytest.mark.parametrize("kind", ["variable", "tensor"])
def test_dynamic_training_phase(kind):
    """Batches of [0, 2, 4] have mean 2 and variance 8 / 3, the moving averages 0 and 1."""
    phase = tf.Variable(True, trainable=False) if kind == "variable" else tf.placeholder(tf.bool)
    x = tf.constant([[0.0], [2.0], [4.0]])
    normed = tf.layers.batch_normalization(x, training=phase)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for training in (True, False):
            if kind == "variable":
                session.run(phase.assign(training))
                result = session.run(normed)
            else:
                result = session.run(normed, {phase: training})
            expected = np.array([[-2], [0], [2]]) / np.sqrt(8 / 3 + 1e-3)
            if not training:
                expected = np.array([[0], [2], [4]]) / np.sqrt(1 + 1e-3)
            np.testing.assert_allclose(result, expected, rtol=1e-5)
