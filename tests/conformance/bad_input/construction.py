"""Wrong dtypes, ranks, shapes and values where a graph is built."""

import numpy as np


def sparse_cross_entropy_of_ranks(tf):
    labels = tf.zeros([2, 3], tf.int32)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.zeros([2, 3]))


CASES = {
    "add_of_two_dtypes": lambda tf: tf.constant(1.0) + tf.constant(2),
    "add_int_to_float_constant": lambda tf: tf.add(tf.constant([1.0]), tf.constant([1], tf.int64)),
    "matmul_of_strings": lambda tf: tf.matmul([["a"]], [["b"]]),
    "matmul_of_vectors": lambda tf: tf.matmul(tf.zeros([3]), tf.zeros([3])),
    "add_n_of_shapes": lambda tf: tf.add_n([tf.zeros([2]), tf.zeros([3])]),
    "concat_of_dimensions": lambda tf: tf.concat([tf.zeros([2, 3]), tf.zeros([2, 4])], 0),
    "concat_along_no_axis": lambda tf: tf.concat([tf.zeros([2]), tf.zeros([2])], 1),
    "concat_in_the_old_order": lambda tf: tf.concat(0, [tf.zeros([2]), tf.zeros([2])]),
    "stack_of_shapes": lambda tf: tf.stack([tf.zeros([2]), tf.zeros([3])]),
    "stack_along_no_axis": lambda tf: tf.stack([tf.zeros([2]), tf.zeros([2])], axis=3),
    "unstack_unknown": lambda tf: tf.unstack(tf.placeholder(tf.float32)),
    "unstack_unknown_dimension": lambda tf: tf.unstack(tf.placeholder(tf.float32, [None, 2])),
    "split_into_wrong_sizes": lambda tf: tf.split(tf.zeros([5]), [2, 2]),
    "reshape_to_floats": lambda tf: tf.reshape(tf.zeros([2, 3]), [2.0, 3.0]),
    "transpose_by_wrong_permutation": lambda tf: tf.transpose(tf.zeros([2, 3]), [0, 0]),
    "expand_dims_too_far": lambda tf: tf.expand_dims(tf.zeros([2, 1]), 5),
    "reduce_with_two_axes_named": lambda tf: tf.reduce_sum(
        tf.zeros([2]), axis=0, reduction_indices=0
    ),
    "argmax_with_axis_and_dimension": lambda tf: tf.argmax(tf.zeros([2, 2]), axis=0, dimension=1),
    "index_by_float": lambda tf: tf.zeros([2])[0.5],
    "index_by_string": lambda tf: tf.zeros([2])["a"],
    "slice_by_zero_stride": lambda tf: tf.zeros([4])[::0],
    "iterate_over_a_tensor": lambda tf: list(tf.zeros([4])),
    "tensor_as_numpy": lambda tf: np.array(tf.zeros([2])),
    "gather_of_a_scalar": lambda tf: tf.gather(tf.constant(1.0), [0]),
    "tile_by_wrong_length": lambda tf: tf.tile(tf.zeros([2, 2]), [2]),
    "range_without_steps": lambda tf: tf.range(1, 5, 0),
    "range_backwards": lambda tf: tf.range(5, 1),
    "fill_by_matrix": lambda tf: tf.fill([2], [1.0, 2.0]),
    "fill_with_negative_size": lambda tf: tf.fill([-2], 1.0),
    "one_hot_by_matrix": lambda tf: tf.one_hot([1], [2]),
    "one_hot_of_two_dtypes": lambda tf: tf.one_hot([1], 3, on_value=1.0, off_value=0),
    "constant_of_ragged_lists": lambda tf: tf.constant([[1, 2], [3]]),
    "ragged_constant_of_too_few_numbers": lambda tf: tf.ragged.constant([[1]], inner_shape=(3,)),
    "constant_of_mixed_kinds": lambda tf: tf.constant([1, "a"]),
    "constant_of_text_and_bytes": lambda tf: tf.constant(["text", b"\xff"]),
    "constant_with_unknown_dtype": lambda tf: tf.constant(1, "float33"),
    "constant_of_a_tensor": lambda tf: tf.constant(tf.constant(1.0)),
    "cast_to_nonsense": lambda tf: tf.cast(tf.constant(1.0), "nothing"),
    "convert_a_set": lambda tf: tf.convert_to_tensor({1, 2}),
    "logical_not_of_number": lambda tf: tf.logical_not(tf.constant(1)),
    "logical_and_of_numbers": lambda tf: tf.constant(1) & tf.constant(2.0),
    "invert_a_float": lambda tf: ~tf.constant(1.0),
    "less_than_of_strings": lambda tf: tf.constant("a") < tf.constant("b"),
    "where_with_one_branch": lambda tf: tf.where([True, False], tf.zeros([2])),
    "boolean_mask_of_shapes": lambda tf: tf.boolean_mask(tf.zeros([2, 3]), [True, False, True]),
    "boolean_mask_by_scalar": lambda tf: tf.boolean_mask(tf.zeros([2, 3]), True),
    "set_shape_to_another": lambda tf: tf.zeros([2, 3]).set_shape([3, 2]),
    "placeholder_with_bad_shape": lambda tf: tf.placeholder(tf.float32, [2, "x"]),
    "placeholder_with_negative_size": lambda tf: tf.placeholder(tf.float32, [-2]),
    "placeholder_with_bad_dtype": lambda tf: tf.placeholder("floot"),
    "bias_of_wrong_length": lambda tf: tf.nn.bias_add(tf.zeros([2, 3]), tf.zeros([2])),
    "bias_of_matrix": lambda tf: tf.nn.bias_add(tf.zeros([2, 3]), tf.zeros([2, 3])),
    "bias_in_unknown_format": lambda tf: tf.nn.bias_add(
        tf.zeros([2, 3]), tf.zeros([3]), data_format="CHW"
    ),
    "cross_entropy_by_position": lambda tf: tf.nn.softmax_cross_entropy_with_logits(
        tf.zeros([2, 3]), tf.zeros([2, 3])
    ),
    "cross_entropy_of_shapes": lambda tf: tf.nn.softmax_cross_entropy_with_logits(
        labels=tf.zeros([2, 3]), logits=tf.zeros([2, 4])
    ),
    "sparse_cross_entropy_without_logits": lambda tf: (
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.zeros([2], tf.int32))
    ),
    "sparse_cross_entropy_of_scalar": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=0, logits=tf.constant(0.5)
    ),
    "dropout_of_integers": lambda tf: tf.nn.dropout(tf.constant([1, 2]), 0.5),
    "softmax_over_no_axis": lambda tf: tf.nn.softmax(tf.zeros([2, 3]), axis=4),
    "softmax_of_integers": lambda tf: tf.nn.softmax(tf.constant([1, 2])),
    "embedding_of_nothing": lambda tf: tf.nn.embedding_lookup([], [1]),
    "random_uniform_integers_without_bound": lambda tf: tf.random_uniform([2], dtype=tf.int32),
    "eye_of_vector": lambda tf: tf.eye([2, 2]),
    "matrix_set_diag_of_vector": lambda tf: tf.matrix_set_diag(tf.zeros([3]), tf.zeros([3])),
    "diag_part_of_oblong": lambda tf: tf.diag_part(tf.zeros([2, 3])),
    "assert_false_statically": lambda tf: tf.assert_equal(1, 2, message="never equal"),
    "assert_rank_in_a_number": lambda tf: tf.assert_rank_in(1, 0),
    "assert_with_text_for_data": lambda tf: tf.Assert(tf.constant(False), "text"),
    "assert_rank_statically": lambda tf: tf.assert_rank(tf.zeros([2, 2]), 1),
    "assert_type": lambda tf: tf.assert_type(tf.constant(1.0), tf.int32),
    "clip_by_global_norm_of_a_tensor": lambda tf: tf.clip_by_global_norm(tf.zeros([2]), 1.0),
    "clip_by_value_of_shapes": lambda tf: tf.clip_by_value(tf.zeros([2]), tf.zeros([2, 2]), 1.0),
    "tuple_of_nothing": lambda tf: tf.tuple([None, None]),
    "group_of_a_number": lambda tf: tf.group(5),
    "py_func_of_no_function": lambda tf: tf.py_func(5, [tf.constant(1)], tf.int32),
    "name_that_is_not_there": lambda tf: tf.mul(1, 2),
    "dynamic_partition_of_shapes": lambda tf: tf.dynamic_partition(tf.zeros([3]), [0, 1], 2),
    "unsorted_segment_sum_of_shapes": lambda tf: tf.unsorted_segment_sum(
        tf.zeros([3, 2]), [[0, 1]], 2
    ),
}
