"""tf.nn.zero_fraction."""

import numpy as np

import tfmini as tf
from tests.support.sessions import run


def test_fraction_of_zeros():
    values = np.array([[0.0, 1.0], [0.0, 0.0]], "f")
    assert run(tf.nn.zero_fraction(values)) == 0.75
    assert np.isnan(run(tf.nn.zero_fraction(np.zeros((0, 2), "f"))))
