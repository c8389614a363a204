"""Fractional pooling where TensorFlow is undocumented or crashes."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("pool", [tf.nn.fractional_max_pool, tf.nn.fractional_avg_pool])
@pytest.mark.parametrize("ratio", [[2.0, 1.5, 1.5, 1.0], [1.0, 1.5, 1.5, 2.0]])
def test_batch_and_channel_pooling_is_refused(pool, ratio):
    """TensorFlow's kernel checks that one of the two is 1, and crashes in the gradient."""
    images = tf.constant(np.ones([2, 4, 4, 4], "f"))
    with tf.Session() as session, pytest.raises(tf.errors.UnimplementedError) as caught:
        session.run(pool(images, ratio)[0])
    assert "pooling is not yet supported on the batch nor channel dimension." in str(caught.value)
