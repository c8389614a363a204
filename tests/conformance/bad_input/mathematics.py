"""Math ops: shapes and dtypes that do not fit, axes that are not there, division by zero, bad segments."""

import numpy as np


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def add_of_other_shapes_when_run(tf):
    return fed(tf, [1, 2]) + fed(tf, [1, 2, 3])


def equal_of_other_shapes_when_run(tf):
    return tf.equal(fed(tf, [1, 2]), fed(tf, [1, 2, 3]))


def approximate_equal_does_not_broadcast(tf):
    return tf.raw_ops.ApproximateEqual(x=tf.zeros([2]), y=tf.zeros([3]))


def text_times_two(tf):
    return tf.constant(["a"]) * 2


def sqrt_of_an_int(tf):
    return tf.sqrt(4)


def power_of_bools(tf):
    return tf.constant([True]) ** 2


def truediv_of_other_dtypes(tf):
    return tf.truediv(tf.constant([1]), tf.constant([2], tf.int64))


def truediv_of_text(tf):
    return tf.constant(["a"]) / tf.constant(["b"])


def div_no_nan_of_other_dtypes(tf):
    return tf.div_no_nan(tf.constant([1.0]), tf.constant([2.0], tf.float64))


def complex_of_other_dtypes(tf):
    return tf.complex(tf.constant(1.0), tf.constant(1.0, tf.float64))


def conj_of_text(tf):
    return tf.conj("a")


def scalar_mul_of_a_vector(tf):
    return tf.scalar_mul([1.0, 2.0], tf.zeros([2]))


def cast_of_text(tf):
    return tf.cast(fed(tf, ["1"], object), tf.int32)


def bitcast_of_other_sizes(tf):
    return tf.bitcast(tf.zeros([3], tf.uint8), tf.float32)


def bitcast_of_a_scalar(tf):
    return tf.bitcast(tf.constant(1, tf.uint8), tf.float32)


def mod_by_zero(tf):
    return fed(tf, [1], "i4") % fed(tf, [0], "i4")


def div_by_zero(tf):
    return tf.raw_ops.Div(x=fed(tf, [1], "i8"), y=fed(tf, [0], "i8"))


def truncatediv_by_zero(tf):
    return tf.truncatediv(fed(tf, [1], "i4"), fed(tf, [0], "i4"))


def negative_power_of_ints(tf):
    return tf.pow(fed(tf, [2], "i4"), fed(tf, [-1], "i4"))


def sum_over_a_missing_axis_of_several(tf):
    return tf.reduce_sum(tf.zeros([2, 3]), [0, -3])


def sum_over_a_missing_axis_when_run(tf):
    return tf.reduce_sum(fed(tf, [[1, 2], [3, 4]]), fed(tf, [2], "i4"))


def sum_over_axes_in_a_matrix(tf):
    return tf.reduce_sum(tf.zeros([2, 3]), [[0, 1]])


def sum_of_bools(tf):
    return tf.reduce_sum([True, False])


def argmax_over_a_missing_axis(tf):
    return tf.argmax(tf.zeros([2, 3]), 2)


def argmax_over_a_missing_axis_when_run(tf):
    return tf.argmax(fed(tf, [[1, 2]]), fed(tf, -3, "i4"))


def argmax_over_two_axes(tf):
    return tf.argmax(tf.zeros([2, 3]), [0, 1])


def argmax_over_an_empty_axis(tf):
    return tf.argmax(fed(tf, np.zeros([2, 0])), 1)


def argmax_as_a_float(tf):
    return tf.argmax([1.0], output_type=tf.float32)


def cumsum_along_two_axes(tf):
    return tf.cumsum(fed(tf, [[1, 2]]), fed(tf, [0], "i4"))


def matmul_of_other_sizes_when_run(tf):
    a, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None, None])
    return tf.matmul(a, b, transpose_a=True), {a: np.zeros([2, 3]), b: np.zeros([3, 4])}


def matmul_of_a_vector_when_run(tf):
    return tf.raw_ops.MatMul(a=fed(tf, [1, 2]), b=fed(tf, [[1], [2]]))


def matmul_transposed_and_adjoint(tf):
    return tf.matmul(tf.zeros([1, 1]), tf.zeros([1, 1]), transpose_b=True, adjoint_b=True)


def batch_matmul_of_other_batches(tf):
    return tf.matmul(tf.zeros([2, 2, 3]), tf.zeros([3, 3, 2]))


def batch_matmul_of_other_batches_when_run(tf):
    return tf.matmul(fed(tf, np.zeros([2, 2, 3])), fed(tf, np.zeros([3, 3, 2])))


def batch_matmul_of_other_sizes_when_run(tf):
    return tf.matmul(fed(tf, np.zeros([2, 2, 3])), fed(tf, np.zeros([2, 4, 2])))


def batch_matmul_of_a_vector_when_run(tf):
    return tf.matmul(fed(tf, [1, 2]), fed(tf, [[1], [2]]))


def old_batch_matmul_of_other_batches(tf):
    return tf.raw_ops.BatchMatMul(x=tf.zeros([2, 2, 3]), y=tf.zeros([3, 3, 2]))


def tensordot_of_too_many_axes(tf):
    return tf.tensordot(tf.zeros([2, 2]), tf.zeros([2, 2]), 3)


def tensordot_of_unequal_axes(tf):
    return tf.tensordot(tf.zeros([2, 2]), tf.zeros([2, 2]), [[0], [0, 1]])


def tensordot_of_three_lists(tf):
    return tf.tensordot(tf.zeros([2, 2]), tf.zeros([2, 2]), [[0], [0], [1]])


def norm_of_an_unknown_order(tf):
    return tf.norm([1.0, 2.0], ord="nuclear")


def norm_of_an_unknown_matrix_order(tf):
    return tf.norm([[1.0, 2.0]], ord=3, axis=(0, 1))


def norm_over_three_axes(tf):
    return tf.norm(tf.zeros([1, 1, 1]), axis=(0, 1, 2))


def cross_of_two_elements(tf):
    return tf.cross([[1.0, 2.0]], [[3.0, 4.0]])


def add_n_of_other_shapes_when_run(tf):
    return tf.add_n([fed(tf, [1, 2]), fed(tf, [1, 2]), fed(tf, [1])])


def add_n_of_other_dtypes(tf):
    return tf.add_n([tf.constant([1]), tf.constant([1.0])])


def accumulate_n_of_other_dtypes(tf):
    return tf.accumulate_n([tf.constant([1]), tf.constant([1.0])])


def accumulate_n_of_another_dtype(tf):
    return tf.accumulate_n([tf.constant([1])], tensor_dtype=tf.float32)


def clip_by_bounds_of_another_shape(tf):
    return tf.clip_by_value(tf.zeros([2]), tf.zeros([3]), 1.0)


def global_norm_of_a_tensor(tf):
    return tf.global_norm(tf.zeros([2]))


def raw_clip_by_bounds_of_another_shape(tf):
    bounds = {"clip_value_min": fed(tf, [1, 2]), "clip_value_max": fed(tf, 3)}
    return tf.raw_ops.ClipByValue(t=fed(tf, [1, 5, 9]), **bounds)


def segment_ids_too_few(tf):
    return tf.segment_mean(fed(tf, [1, 2, 3]), fed(tf, [0, 1], "i4"))


def segment_ids_in_a_matrix(tf):
    return tf.segment_sum(tf.zeros([3]), [[0, 1, 2]])


def segments_of_a_scalar(tf):
    return tf.segment_sum(1.0, [0])


def unsorted_ids_of_another_shape_when_run(tf):
    return tf.unsorted_segment_prod(fed(tf, [1, 2, 3]), fed(tf, [0, 1], "i4"), 3)


def unsorted_into_several_counts(tf):
    return tf.unsorted_segment_sum(fed(tf, [1, 2]), fed(tf, [0, 1], "i4"), fed(tf, [3], "i4"))


def sparse_segment_row_out_of_range(tf):
    return tf.sparse_segment_sum(fed(tf, [1, 2, 3]), fed(tf, [0, 3], "i4"), fed(tf, [0, 1], "i4"))


def sparse_segment_ids_in_disorder(tf):
    return tf.sparse_segment_mean(fed(tf, [1, 2, 3]), fed(tf, [0, 1], "i4"), fed(tf, [1, 0], "i4"))


def sparse_segment_ids_too_few(tf):
    return tf.sparse_segment_sum(tf.zeros([3]), [0, 1], [0])


def sparse_segment_ids_above_their_number(tf):
    ids = fed(tf, [0, 2], "i4")
    return tf.sparse_segment_sum(fed(tf, [1, 2, 3]), fed(tf, [0, 1], "i4"), ids, num_segments=2)


def sparse_segments_less_than_none(tf):
    return tf.sparse_segment_sum(tf.zeros([3]), [0, 1], [0, 0], num_segments=-1)


def bincount_of_negatives(tf):
    return tf.raw_ops.Bincount(arr=fed(tf, [1, -2], "i4"), size=3, weights=fed(tf, []))


def bincount_of_a_negative_size(tf):
    return tf.raw_ops.Bincount(arr=[1], size=-1, weights=tf.zeros([0]))


def qr_of_a_vector(tf):
    return tf.qr(tf.zeros([3]))


def gradient_of_a_wide_qr(tf):
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])
    return tf.gradients(tf.qr(x)[1], x)


def solve_with_no_square(tf):
    return tf.matrix_triangular_solve(tf.zeros([1, 2]), tf.zeros([2, 1]))


def solve_with_no_square_when_run(tf):
    return tf.matrix_triangular_solve(fed(tf, [[1, 2]]), fed(tf, [[1], [2]]))


def solve_with_no_inverse(tf):
    return tf.matrix_triangular_solve(fed(tf, [[0, 1], [1, 1]]), fed(tf, [[1], [2]]))


def solve_with_another_size(tf):
    return tf.matrix_triangular_solve(fed(tf, [[1, 1], [1, 1]]), fed(tf, [[1], [2], [3]]))


def betainc_of_other_shapes(tf):
    return tf.betainc([0.5, 1.0], [0.5, 1.0, 2.0], 0.5)


def betainc_of_two_lengths_when_run(tf):
    a, x = (tf.placeholder_with_default(value, None) for value in ([1.0], [0.5, 0.25]))
    return tf.betainc(a, a, x)


def betainc_of_two_ranks_when_run(tf):
    a, b = (tf.placeholder_with_default(value, None) for value in ([[1.0]], [1.0]))
    return tf.betainc(a, b, 0.5)


def histogram_of_a_range_with_many_digits(tf):
    return tf.histogram_fixed_width([1.0], [1 / 3, 0.1])
