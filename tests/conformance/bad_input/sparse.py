"""Sparse tensors: indices out of range, unsorted or repeated, mismatched components and shapes."""

import numpy as np


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def sparse(tf, indices=((0, 1), (2, 0)), values=(1.0, 2.0), shape=(3, 4)):
    indices = np.array(indices, np.int64).reshape(-1, len(shape))
    return tf.SparseTensor(indices, list(values), list(shape))


def hidden(tf, indices=((0, 1), (2, 0)), values=(1.0, 2.0), shape=(3, 4)):
    """The same with unknown static shapes."""
    parts = fed(tf, indices, np.int64), fed(tf, values), fed(tf, shape, np.int64)
    return tf.SparseTensor(*parts)


def first(sparse_tensor):
    return [sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape]


def concat_of_other_ranks_when_run(tf):
    other = hidden(tf, ((0, 0, 1),), (1.0,), (2, 2, 2))
    return first(tf.sparse_concat(0, [hidden(tf), other]))


def cross_of_other_batches(tf):
    text = tf.SparseTensor([[0, 0]], ["a"], [2, 1])
    return first(tf.sparse.cross([text, tf.constant([["a"], ["b"], ["c"]])]))


def cross_of_three_columns(tf):
    text = tf.SparseTensor([[0, 0, 0]], ["a"], [2, 1, 1])
    return first(tf.sparse.cross([text]))


def cross_of_other_lengths(tf):
    text = tf.SparseTensor(fed(tf, [[0, 0]], np.int64), tf.constant(["a", "b"]), [2, 1])
    return first(tf.sparse.cross([text]))


def cross_of_three_sizes(tf):
    text = tf.SparseTensor([[0, 0]], ["a"], fed(tf, [2, 1, 1], np.int64))
    return first(tf.sparse.cross([text]))


def split_of_other_lengths(tf):
    parts = tf.sparse.split(sp_input=hidden(tf, values=(1.0, 2.0, 3.0)), num_split=2, axis=1)
    return first(parts[0])


def segments_of_a_matrix_of_indices(tf):
    given = [tf.placeholder_with_default(v, None) for v in ([[1.0]], [[0]], [[0]])]
    return tf.sparse_segment_sum(*given)


def segments_of_a_vector_of_counts(tf):
    count = tf.placeholder_with_default([2], None)
    return tf.sparse_segment_sum([[1.0]], [0], [0], num_segments=count)


def slopes_of_segments_of_a_vector_of_rows(tf):
    rows = tf.placeholder_with_default([2], None)
    given = {"grad": [[1.0]], "indices": [0], "segment_ids": [0], "output_dim0": rows}
    return tf.raw_ops.SparseSegmentMeanGrad(**given)
