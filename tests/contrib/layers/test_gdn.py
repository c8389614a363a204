"""Generalized divisive normalization."""

import numpy as np
import pytest

import tfmini as tf

layers = tf.contrib.layers


@pytest.mark.parametrize("data_format", ["channels_first", "channels_last"])
@pytest.mark.parametrize("rank", [3, 4, 5])
def test_gdn_matches_numpy(rank, data_format):
    shape = [2, 4, 3, 2][: rank - 1]
    axis = 1 if data_format == "channels_first" else rank - 1
    shape.insert(axis, 5)
    x = np.random.RandomState(rank).randn(*shape).astype("f")
    with tf.Graph().as_default(), tf.Session() as session:
        layer = layers.GDN(data_format=data_format, gamma_init=0.3)
        y = layer(tf.constant(x))
        assert layer.compute_output_shape(x.shape) == y.shape
        session.run(tf.global_variables_initializer())
        if data_format == "channels_last":  # CPU convolutions support no others
            expected = x / np.sqrt(1 + 0.3 * x * x)
            np.testing.assert_allclose(session.run(y), expected, rtol=1e-5)
