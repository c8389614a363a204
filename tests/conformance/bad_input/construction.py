"""Wrong dtypes, ranks, shapes and values where a graph is built."""

import numpy as np

CASES = {
    "add_int_to_float_constant": lambda tf: tf.add(tf.constant([1.0]), tf.constant([1], tf.int64)),
    "matmul_of_strings": lambda tf: tf.matmul([["a"]], [["b"]]),
    "add_n_of_shapes": lambda tf: tf.add_n([tf.zeros([2]), tf.zeros([3])]),
    "concat_of_dimensions": lambda tf: tf.concat([tf.zeros([2, 3]), tf.zeros([2, 4])], 0),
    "stack_of_shapes": lambda tf: tf.stack([tf.zeros([2]), tf.zeros([3])]),
    "unstack_unknown_dimension": lambda tf: tf.unstack(tf.placeholder(tf.float32, [None, 2])),
    "transpose_by_wrong_permutation": lambda tf: tf.transpose(tf.zeros([2, 3]), [0, 0]),
    "expand_dims_too_far": lambda tf: tf.expand_dims(tf.zeros([2, 1]), 5),
    "slice_by_zero_stride": lambda tf: tf.zeros([4])[::0],
    "tensor_as_numpy": lambda tf: np.array(tf.zeros([2])),
    "range_backwards": lambda tf: tf.range(5, 1),
    "one_hot_by_matrix": lambda tf: tf.one_hot([1], [2]),
    "ragged_constant_of_too_few_numbers": lambda tf: tf.ragged.constant([[1]], inner_shape=(3,)),
    "constant_of_text_and_bytes": lambda tf: tf.constant(["text", b"\xff"]),
    "constant_of_a_tensor": lambda tf: tf.constant(tf.constant(1.0)),
    "cast_to_nonsense": lambda tf: tf.cast(tf.constant(1.0), "nothing"),
    "convert_a_set": lambda tf: tf.convert_to_tensor({1, 2}),
    "logical_not_of_number": lambda tf: tf.logical_not(tf.constant(1)),
    "logical_and_of_numbers": lambda tf: tf.constant(1) & tf.constant(2.0),
    "invert_a_float": lambda tf: ~tf.constant(1.0),
    "less_than_of_strings": lambda tf: tf.constant("a") < tf.constant("b"),
    "where_with_one_branch": lambda tf: tf.where([True, False], tf.zeros([2])),
    "set_shape_to_another": lambda tf: tf.zeros([2, 3]).set_shape([3, 2]),
    "placeholder_with_bad_shape": lambda tf: tf.placeholder(tf.float32, [2, "x"]),
    "placeholder_with_negative_size": lambda tf: tf.placeholder(tf.float32, [-2]),
    "cross_entropy_of_shapes": lambda tf: tf.nn.softmax_cross_entropy_with_logits(
        labels=tf.zeros([2, 3]), logits=tf.zeros([2, 4])
    ),
    "eye_of_vector": lambda tf: tf.eye([2, 2]),
    "matrix_set_diag_of_vector": lambda tf: tf.matrix_set_diag(tf.zeros([3]), tf.zeros([3])),
    "diag_part_of_oblong": lambda tf: tf.diag_part(tf.zeros([2, 3])),
    "assert_false_statically": lambda tf: tf.assert_equal(1, 2, message="never equal"),
    "assert_with_text_for_data": lambda tf: tf.Assert(tf.constant(False), "text"),
    "assert_rank_statically": lambda tf: tf.assert_rank(tf.zeros([2, 2]), 1),
    "assert_type": lambda tf: tf.assert_type(tf.constant(1.0), tf.int32),
    "clip_by_value_of_shapes": lambda tf: tf.clip_by_value(tf.zeros([2]), tf.zeros([2, 2]), 1.0),
    "group_of_a_number": lambda tf: tf.group(5),
    "py_func_of_no_function": lambda tf: tf.py_func(5, [tf.constant(1)], tf.int32),
    "name_that_is_not_there": lambda tf: tf.mul(1, 2),
    "dynamic_partition_of_shapes": lambda tf: tf.dynamic_partition(tf.zeros([3]), [0, 1], 2),
    "unsorted_segment_sum_of_shapes": lambda tf: tf.unsorted_segment_sum(
        tf.zeros([3, 2]), [[0, 1]], 2
    ),
}
