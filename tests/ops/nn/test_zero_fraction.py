"""tf.nn.zero_fraction."""

import numpy as np

import tfmini as tf


def run(fetches, feed=None):
    with tf.Session() as session:
        return session.run(fetches, feed)


def test_fraction_of_zeros():
    values = np.array([[0.0, 1.0], [0.0, 0.0]], "f")
    assert run(tf.nn.zero_fraction(values)) == 0.75
    assert np.isnan(run(tf.nn.zero_fraction(np.zeros((0, 2), "f"))))
