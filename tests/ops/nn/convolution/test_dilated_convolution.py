"""tf.nn.conv1d_transpose."""

import numpy as np
import pytest

import tfmini as tf


def test_conv1d_transpose_output_shape():
    """A list, tuple, array or tensor; TensorFlow 1.15.5 accepts no TensorShape either."""
    x, kernel = tf.ones([2, 4, 5]), tf.ones([3, 3, 5])
    with tf.Session() as session:
        for shape in ((2, 8, 3), [2, 8, 3], np.array([2, 8, 3]), tf.constant([2, 8, 3])):
            assert session.run(tf.nn.conv1d_transpose(x, kernel, shape, 2)).shape == (2, 8, 3)
    with pytest.raises(TypeError, match="NOT CONVERTIBLE TO TENSOR"):
        tf.nn.conv1d_transpose(x, kernel, tf.TensorShape([2, 8, 3]), 2)
