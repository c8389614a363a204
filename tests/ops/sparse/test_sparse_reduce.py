"""Reductions of sparse tensors in compat.v2."""

import tfmini as tf
import tfmini.compat.v2 as tf2
import tfmini.compat.v2.nn


def test_v2_reductions(session):
    sparse = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1, 1, 1], [2, 3])
    assert session.run(tf2.sparse.reduce_sum(sparse, 1)).tolist() == [2, 1]
    largest = tf2.sparse.reduce_max(sparse, 1, keepdims=True, output_is_sparse=True)
    assert session.run(largest).values.tolist() == [1, 1]
