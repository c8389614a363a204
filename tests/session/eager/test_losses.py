"""Losses in eager mode: TensorFlow 1.15.5's values."""

import numpy as np

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

X = np.arange(6, dtype=np.float32).reshape(2, 3)
Y = 2 * X + 1


def test_losses_are_values_outside_collections():
    with tf.Graph().as_default(), eager_mode():
        np.testing.assert_allclose(tf.losses.mean_squared_error(X, Y).numpy(), 15.166667, rtol=1e-6)
        weighted = tf.losses.mean_squared_error(X, Y, weights=np.array([[1.0], [0.0]], np.float32))
        np.testing.assert_allclose(weighted.numpy(), 4.6666665, rtol=1e-6)
        assert tf.losses.mean_pairwise_squared_error(X, Y).numpy() == 19
        assert tf.losses.get_losses() == []
