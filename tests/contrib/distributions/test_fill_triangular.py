"""fill_triangular and its inverse, also with sizes known only at run time."""

import numpy as np
import pytest

import tfmini as tf

LOWER = np.array([[4.0, 0, 0], [6, 5, 0], [3, 2, 1]])  # as documented in TensorFlow 1.15.5
UPPER = np.array([[1.0, 2, 3], [0, 5, 6], [0, 0, 4]])


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("upper, expected", [(False, LOWER), (True, UPPER)])
def test_fill_triangular_and_inverse(known, upper, expected):
    from_list = tf.contrib.distributions.fill_triangular
    to_list = tf.contrib.distributions.fill_triangular_inverse
    with tf.Graph().as_default(), tf.Session() as session:
        numbers = np.arange(1.0, 7.0)
        x = tf.placeholder(tf.float64, [2, 6 if known else None])
        matrix = from_list(x, upper=upper)
        result, repeated = session.run(
            [matrix, to_list(matrix, upper=upper)], {x: [numbers, 10 * numbers]}
        )
    np.testing.assert_array_equal(result, [expected, 10 * expected])
    np.testing.assert_array_equal(repeated, [numbers, 10 * numbers])
