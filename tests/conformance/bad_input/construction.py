"""Wrong dtypes, ranks, shapes and values where a graph is built."""

import numpy as np


def add_of_two_dtypes(tf):
    return tf.constant(1.0) + tf.constant(2)


def add_int_to_float_constant(tf):
    return tf.add(tf.constant([1.0]), tf.constant([1], tf.int64))


def matmul_of_strings(tf):
    return tf.matmul([["a"]], [["b"]])


def matmul_of_vectors(tf):
    return tf.matmul(tf.zeros([3]), tf.zeros([3]))


def add_n_of_shapes(tf):
    return tf.add_n([tf.zeros([2]), tf.zeros([3])])


def concat_of_dimensions(tf):
    return tf.concat([tf.zeros([2, 3]), tf.zeros([2, 4])], 0)


def concat_along_no_axis(tf):
    return tf.concat([tf.zeros([2]), tf.zeros([2])], 1)


def concat_in_the_old_order(tf):
    return tf.concat(0, [tf.zeros([2]), tf.zeros([2])])


def stack_of_shapes(tf):
    return tf.stack([tf.zeros([2]), tf.zeros([3])])


def stack_along_no_axis(tf):
    return tf.stack([tf.zeros([2]), tf.zeros([2])], axis=3)


def unstack_unknown(tf):
    return tf.unstack(tf.placeholder(tf.float32))


def unstack_unknown_dimension(tf):
    return tf.unstack(tf.placeholder(tf.float32, [None, 2]))


def split_into_wrong_sizes(tf):
    return tf.split(tf.zeros([5]), [2, 2])


def reshape_to_floats(tf):
    return tf.reshape(tf.zeros([2, 3]), [2.0, 3.0])


def transpose_by_wrong_permutation(tf):
    return tf.transpose(tf.zeros([2, 3]), [0, 0])


def expand_dims_too_far(tf):
    return tf.expand_dims(tf.zeros([2, 1]), 5)


def reduce_with_two_axes_named(tf):
    return tf.reduce_sum(tf.zeros([2]), axis=0, reduction_indices=0)


def argmax_with_axis_and_dimension(tf):
    return tf.argmax(tf.zeros([2, 2]), axis=0, dimension=1)


def index_by_float(tf):
    return tf.zeros([2])[0.5]


def index_by_string(tf):
    return tf.zeros([2])["a"]


def slice_by_zero_stride(tf):
    return tf.zeros([4])[::0]


def iterate_over_a_tensor(tf):
    return list(tf.zeros([4]))


def tensor_as_numpy(tf):
    return np.array(tf.zeros([2]))


def gather_of_a_scalar(tf):
    return tf.gather(tf.constant(1.0), [0])


def tile_by_wrong_length(tf):
    return tf.tile(tf.zeros([2, 2]), [2])


def range_without_steps(tf):
    return tf.range(1, 5, 0)


def range_backwards(tf):
    return tf.range(5, 1)


def fill_by_matrix(tf):
    return tf.fill([2], [1.0, 2.0])


def fill_with_negative_size(tf):
    return tf.fill([-2], 1.0)


def one_hot_by_matrix(tf):
    return tf.one_hot([1], [2])


def one_hot_of_two_dtypes(tf):
    return tf.one_hot([1], 3, on_value=1.0, off_value=0)


def constant_of_ragged_lists(tf):
    return tf.constant([[1, 2], [3]])


def ragged_constant_of_too_few_numbers(tf):
    return tf.ragged.constant([[1]], inner_shape=(3,))


def constant_of_mixed_kinds(tf):
    return tf.constant([1, "a"])


def constant_of_text_and_bytes(tf):
    return tf.constant(["text", b"\xff"])


def constant_with_unknown_dtype(tf):
    return tf.constant(1, "float33")


def constant_of_a_tensor(tf):
    return tf.constant(tf.constant(1.0))


def cast_to_nonsense(tf):
    return tf.cast(tf.constant(1.0), "nothing")


def convert_a_set(tf):
    return tf.convert_to_tensor({1, 2})


def logical_not_of_number(tf):
    return tf.logical_not(tf.constant(1))


def logical_and_of_numbers(tf):
    return tf.constant(1) & tf.constant(2.0)


def invert_a_float(tf):
    return ~tf.constant(1.0)


def less_than_of_strings(tf):
    return tf.constant("a") < tf.constant("b")


def where_with_one_branch(tf):
    return tf.where([True, False], tf.zeros([2]))


def boolean_mask_of_shapes(tf):
    return tf.boolean_mask(tf.zeros([2, 3]), [True, False, True])


def boolean_mask_by_scalar(tf):
    return tf.boolean_mask(tf.zeros([2, 3]), True)


def set_shape_to_another(tf):
    tf.zeros([2, 3]).set_shape([3, 2])


def placeholder_with_bad_shape(tf):
    return tf.placeholder(tf.float32, [2, "x"])


def placeholder_with_negative_size(tf):
    return tf.placeholder(tf.float32, [-2])


def placeholder_with_bad_dtype(tf):
    return tf.placeholder("floot")


def bias_of_wrong_length(tf):
    return tf.nn.bias_add(tf.zeros([2, 3]), tf.zeros([2]))


def bias_of_matrix(tf):
    return tf.nn.bias_add(tf.zeros([2, 3]), tf.zeros([2, 3]))


def bias_in_unknown_format(tf):
    return tf.nn.bias_add(tf.zeros([2, 3]), tf.zeros([3]), data_format="CHW")


def cross_entropy_by_position(tf):
    return tf.nn.softmax_cross_entropy_with_logits(tf.zeros([2, 3]), tf.zeros([2, 3]))


def cross_entropy_of_shapes(tf):
    return tf.nn.softmax_cross_entropy_with_logits(labels=tf.zeros([2, 3]), logits=tf.zeros([2, 4]))


def sparse_cross_entropy_of_ranks(tf):
    labels = tf.zeros([2, 3], tf.int32)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.zeros([2, 3]))


def sparse_cross_entropy_without_logits(tf):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.zeros([2], tf.int32))


def sparse_cross_entropy_of_scalar(tf):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=0, logits=tf.constant(0.5))


def dropout_of_integers(tf):
    return tf.nn.dropout(tf.constant([1, 2]), 0.5)


def softmax_over_no_axis(tf):
    return tf.nn.softmax(tf.zeros([2, 3]), axis=4)


def softmax_of_integers(tf):
    return tf.nn.softmax(tf.constant([1, 2]))


def embedding_of_nothing(tf):
    return tf.nn.embedding_lookup([], [1])


def random_uniform_integers_without_bound(tf):
    return tf.random_uniform([2], dtype=tf.int32)


def eye_of_vector(tf):
    return tf.eye([2, 2])


def matrix_set_diag_of_vector(tf):
    return tf.matrix_set_diag(tf.zeros([3]), tf.zeros([3]))


def diag_part_of_oblong(tf):
    return tf.diag_part(tf.zeros([2, 3]))


def assert_false_statically(tf):
    return tf.assert_equal(1, 2, message="never equal")


def assert_rank_in_a_number(tf):
    return tf.assert_rank_in(1, 0)


def assert_with_text_for_data(tf):
    return tf.Assert(tf.constant(False), "text")


def assert_rank_statically(tf):
    return tf.assert_rank(tf.zeros([2, 2]), 1)


def assert_type(tf):
    return tf.assert_type(tf.constant(1.0), tf.int32)


def clip_by_global_norm_of_a_tensor(tf):
    return tf.clip_by_global_norm(tf.zeros([2]), 1.0)


def clip_by_value_of_shapes(tf):
    return tf.clip_by_value(tf.zeros([2]), tf.zeros([2, 2]), 1.0)


def tuple_of_nothing(tf):
    return tf.tuple([None, None])


def group_of_a_number(tf):
    return tf.group(5)


def py_func_of_no_function(tf):
    return tf.py_func(5, [tf.constant(1)], tf.int32)


def name_that_is_not_there(tf):
    return tf.mul(1, 2)


def dynamic_partition_of_shapes(tf):
    return tf.dynamic_partition(tf.zeros([3]), [0, 1], 2)


def unsorted_segment_sum_of_shapes(tf):
    return tf.unsorted_segment_sum(tf.zeros([3, 2]), [[0, 1]], 2)
