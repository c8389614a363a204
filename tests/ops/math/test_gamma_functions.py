"""Non-finite results of functions related to gamma, as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf

INF = np.inf


@pytest.mark.parametrize(
    "a, b, x, expected",
    [
        *[(INF, 1, 0.5, np.nan), (1, INF, 0.5, np.nan), (INF, INF, 0.5, np.nan)],
        *[(INF, 1, 0, 0), (INF, 1, 1, 1), (1, INF, 0, 0), (1, INF, 1, 1)],
        *[(2, 3, 0.5, 0.6875), (2, 3, 0, 0), (2, 3, 1, 1)],
        *[(0, 1, 0.5, np.nan), (1, 0, 0.5, np.nan), (1, 1, -1, np.nan), (1, 1, 2, np.nan)],
    ],
)
def test_incomplete_beta_function(a, b, x, expected):
    with tf.Graph().as_default(), tf.Session() as session:
        result = session.run(tf.betainc(*(tf.constant(v, tf.float64) for v in (a, b, x))))
    np.testing.assert_allclose(result, expected)
