"""scatter_nd: TensorFlow's errors for invalid calls."""

import tfmini as tf


def test_scatter_of_booleans_is_or(session):
    x = tf.placeholder_with_default([True, False, False], [3])
    added = tf.raw_ops.ScatterNdNonAliasingAdd(input=x, indices=[[0], [1]], updates=[True, True])
    assert session.run(added).tolist() == [True, True, False]
