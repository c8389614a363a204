"""Dilation of dtypes without a native kernel, with ties."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_gradient_goes_to_first_maximum(session, dtype):
    """TensorFlow's kernel keeps the first maximum."""
    x = tf.constant(np.zeros((1, 2, 3, 1), dtype))
    filter = tf.constant(np.zeros((2, 2, 1), dtype))
    y = tf.nn.dilation2d(x, filter, [1] * 4, [1] * 4, "VALID")
    of_x, of_filter = session.run(tf.gradients(y, [x, filter]))
    assert of_x.dtype == of_filter.dtype == dtype
    assert of_x[0, :, :, 0].tolist() == [[1, 1, 0], [0, 0, 0]]
    assert of_filter[:, :, 0].tolist() == [[2, 0], [0, 0]]
