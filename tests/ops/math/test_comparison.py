"""Maximum and Minimum of broadcast operands; as in TensorFlow, NaN propagates from `x` only."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("last", [1, 2, 17])
@pytest.mark.parametrize("rows", [(1, 6), (6, 1), (6, 6), (1, 1)])
def test_broadcast_maximum_and_minimum(rows, last):
    random = np.random.RandomState(0)
    x = random.randn(5, rows[0], last).astype("f")
    y = random.randn(1, rows[1], last).astype("f")
    x[0, 0, 0] = y[0, -1, -1] = np.nan
    collected, others = np.broadcast_arrays(x, y)
    with tf.Graph().as_default(), tf.Session() as session:
        larger, smaller = session.run([tf.maximum(x, y), tf.minimum(x, y)])
    np.testing.assert_array_equal(larger, np.where(others > collected, others, collected))
    np.testing.assert_array_equal(smaller, np.where(others < collected, others, collected))
