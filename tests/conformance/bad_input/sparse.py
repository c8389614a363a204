"""Sparse tensors: indices out of range, unsorted or repeated, components and shapes that do not fit."""

import numpy as np


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def sparse(tf, indices=((0, 1), (2, 0)), values=(1.0, 2.0), shape=(3, 4)):
    indices = np.array(indices, np.int64).reshape(-1, len(shape))
    return tf.SparseTensor(indices, list(values), list(shape))


def hidden(tf, indices=((0, 1), (2, 0)), values=(1.0, 2.0), shape=(3, 4)):
    """The same with nothing known while building."""
    parts = fed(tf, indices, np.int64), fed(tf, values), fed(tf, shape, np.int64)
    return tf.SparseTensor(*parts)


def first(sparse_tensor):
    return [sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape]


def sparse_to_dense_of_other_ranks_when_run(tf):
    return tf.sparse_to_dense(fed(tf, [[0, 1]], np.int32), fed(tf, [3], np.int32), 1.0)


def sparse_to_dense_of_another_length(tf):
    return tf.sparse_to_dense([0, 1], [3], [1.0, 2.0, 3.0])


def sparse_to_dense_of_a_matrix_as_shape(tf):
    return tf.sparse_to_dense([0], fed(tf, [[3]], np.int32), 1.0)


def sparse_to_dense_of_default_values(tf):
    return tf.sparse_to_dense([0], [3], 1.0, default_value=fed(tf, [0.0, 1.0]))


def concat_of_other_ranks_when_run(tf):
    other = hidden(tf, ((0, 0, 1),), (1.0,), (2, 2, 2))
    return first(tf.sparse_concat(0, [hidden(tf), other]))


def add_of_a_dense_out_of_range(tf):
    return tf.sparse_add(sparse(tf, ((0, 1), (3, 0))), tf.zeros([3, 4]))


def matmul_of_other_sizes_when_run(tf):
    return tf.sparse_tensor_dense_matmul(hidden(tf), fed(tf, np.zeros([3, 2])))


def matmul_out_of_range(tf):
    return tf.sparse_tensor_dense_matmul(sparse(tf, ((0, 1), (3, 0))), tf.zeros([4, 2]))


def matmul_of_a_column_out_of_range(tf):
    return tf.sparse_tensor_dense_matmul(sparse(tf, ((0, 1), (2, 5))), tf.zeros([4, 2]))


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


CASES = {
    "places_that_are_floats": lambda tf: tf.SparseTensor([[0.5, 1.0]], [1.0], [3, 4]),
    "value_of_a_list": lambda tf: tf.SparseTensor.from_value([1, 2]),
    "sparse_to_dense_of_three_axes_known": lambda tf: tf.sparse_to_dense([[[0]]], [3], 1.0),
    "reshape_to_another_size_when_run": lambda tf: first(tf.sparse_reshape(hidden(tf), [5, 2])),
    "reshape_to_what_does_not_divide": lambda tf: first(tf.sparse_reshape(hidden(tf), [5, -1])),
    "reshape_of_two_unknowns_when_run": lambda tf: first(tf.sparse_reshape(hidden(tf), [-1, -1])),
    "reshape_to_negative": lambda tf: first(
        tf.sparse_reshape(hidden(tf), fed(tf, [-2, -6], np.int64))
    ),
    "split_along_no_axis": lambda tf: first(
        tf.sparse_split(sp_input=sparse(tf), num_split=2, axis=2)[0]
    ),
    "concat_of_other_ranks": lambda tf: first(
        tf.sparse_concat(0, [sparse(tf), sparse(tf, ((0, 0, 1),), (1.0,), (2, 2, 2))])
    ),
    "concat_along_no_axis": lambda tf: first(tf.sparse_concat(2, [hidden(tf), hidden(tf)])),
    "concat_of_one_tensor": lambda tf: tf.sparse_concat(0, sparse(tf)),
    "concat_of_dense": lambda tf: tf.sparse_concat(0, [sparse(tf), tf.zeros([3, 4])]),
    "add_of_two_dense": lambda tf: tf.sparse_add(tf.zeros([2]), tf.zeros([2])),
    "add_of_other_shapes": lambda tf: first(tf.sparse_add(sparse(tf), sparse(tf, shape=(3, 5)))),
    "add_of_other_ranks_when_run": lambda tf: first(
        tf.sparse_add(hidden(tf), hidden(tf, ((1,),), (1.0,), (3,)))
    ),
    "add_of_a_dense_of_another_shape": lambda tf: tf.sparse_add(sparse(tf), tf.zeros([4, 3])),
    "times_another_shape": lambda tf: first(sparse(tf) * tf.zeros([3, 3])),
    "quotient_of_bools": lambda tf: first(sparse(tf, values=(True, False)) / tf.constant(True)),
    "softmax_of_a_vector": lambda tf: first(tf.sparse_softmax(hidden(tf, ((1,),), (1.0,), (3,)))),
    "fill_rows_out_of_range": lambda tf: first(
        tf.sparse_fill_empty_rows(sparse(tf, ((0, 1), (3, 0))), 0.0)[0]
    ),
    "fill_rows_of_another_type": lambda tf: tf.sparse_fill_empty_rows(sparse(tf), "a"),
    "fill_rows_of_no_rows": lambda tf: first(
        tf.sparse_fill_empty_rows(sparse(tf, ((0, 1),), (1.0,), (0, 4)), 0.0)[0]
    ),
    "fill_rows_with_a_vector": lambda tf: first(
        tf.sparse_fill_empty_rows(sparse(tf), fed(tf, [0.0]))[0]
    ),
    "matmul_of_a_vector": lambda tf: tf.sparse_tensor_dense_matmul(sparse(tf), tf.zeros([4])),
    "indicator_of_text": lambda tf: tf.sparse_to_indicator(sparse(tf), "ten"),
    "merge_of_other_lengths": lambda tf: tf.sparse_merge([sparse(tf)], sparse(tf), [2, 3]),
    "expand_dims_of_text": lambda tf: tf.sparse.expand_dims(sparse(tf), "a"),
    "eye_of_a_float": lambda tf: tf.sparse.eye(2.5),
    "embedding_of_dense_ids": lambda tf: tf.nn.embedding_lookup_sparse(
        tf.zeros([3, 2]), tf.constant([1]), None
    ),
    "safe_embedding_without_a_table": lambda tf: tf.nn.safe_embedding_lookup_sparse(
        [], sparse(tf, values=(1, 2))
    ),
    "deserialize_of_three_columns": lambda tf: first(
        tf.deserialize_many_sparse(fed(tf, [["a", "b"]], np.str_), tf.float32)
    ),
    "deserialize_of_garbage": lambda tf: first(
        tf.deserialize_many_sparse([["a", "b", "c"]], tf.float32)
    ),
    "cross_of_a_tuple": lambda tf: tf.sparse.cross((sparse(tf), sparse(tf))),
    "cross_of_other_sparse_batches": lambda tf: first(
        tf.sparse.cross([tf.SparseTensor([[0, 0]], ["a"], [n, 1]) for n in (2, 3)])
    ),
    "reorder_of_another_rank": lambda tf: first(tf.sparse.reorder(hidden(tf, shape=(3, 4, 5)))),
    "sum_of_other_lengths": lambda tf: tf.sparse.reduce_sum(hidden(tf, values=(1.0,)), 0),
    "sum_along_a_matrix_of_axes": lambda tf: tf.sparse.reduce_sum(sparse(tf), [[0]]),
    "softmax_of_other_lengths": lambda tf: first(
        tf.sparse.softmax(hidden(tf, values=(1.0, 2.0, 3.0)))
    ),
    "slice_of_other_lengths": lambda tf: first(
        tf.sparse.slice(hidden(tf, values=(1.0, 2.0, 3.0)), [0, 0], [1, 1])
    ),
    "concat_of_other_lengths": lambda tf: first(
        tf.sparse.concat(0, [hidden(tf), hidden(tf, values=(1.0, 2.0, 3.0))])
    ),
    "add_of_other_lengths": lambda tf: first(
        tf.sparse.add(hidden(tf), hidden(tf, values=(1.0, 2.0, 3.0)))
    ),
    "maximum_of_other_lengths": lambda tf: first(
        tf.sparse.maximum(hidden(tf), hidden(tf, values=(1.0, 2.0, 3.0)))
    ),
    "deserialize_of_no_rows": lambda tf: first(
        tf.deserialize_many_sparse(np.zeros([0, 3], np.bytes_), tf.float32)
    ),
    "deserialize_of_another_type": lambda tf: first(
        tf.deserialize_many_sparse(tf.serialize_many_sparse(sparse(tf)), tf.float64)
    ),
    "transpose_of_fewer_axes": lambda tf: first(tf.sparse.transpose(sparse(tf), [1])),
}
