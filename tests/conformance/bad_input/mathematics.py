"""Math ops: shapes and dtypes that do not fit, axes that are not there, division by zero, bad segments."""

import numpy as np


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def sum_over_a_missing_axis_when_run(tf):
    return tf.reduce_sum(fed(tf, [[1, 2], [3, 4]]), fed(tf, [2], "i4"))


def argmax_over_a_missing_axis_when_run(tf):
    return tf.argmax(fed(tf, [[1, 2]]), fed(tf, -3, "i4"))


def matmul_of_other_sizes_when_run(tf):
    a, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None, None])
    return tf.matmul(a, b, transpose_a=True), {a: np.zeros([2, 3]), b: np.zeros([3, 4])}


def matmul_of_a_vector_when_run(tf):
    return tf.raw_ops.MatMul(a=fed(tf, [1, 2]), b=fed(tf, [[1], [2]]))


def batch_matmul_of_other_batches_when_run(tf):
    return tf.matmul(fed(tf, np.zeros([2, 2, 3])), fed(tf, np.zeros([3, 3, 2])))


def batch_matmul_of_other_sizes_when_run(tf):
    return tf.matmul(fed(tf, np.zeros([2, 2, 3])), fed(tf, np.zeros([2, 4, 2])))


def add_n_of_other_shapes_when_run(tf):
    return tf.add_n([fed(tf, [1, 2]), fed(tf, [1, 2]), fed(tf, [1])])


def raw_clip_by_bounds_of_another_shape(tf):
    bounds = {"clip_value_min": fed(tf, [1, 2]), "clip_value_max": fed(tf, 3)}
    return tf.raw_ops.ClipByValue(t=fed(tf, [1, 5, 9]), **bounds)


def unsorted_ids_of_another_shape_when_run(tf):
    return tf.unsorted_segment_prod(fed(tf, [1, 2, 3]), fed(tf, [0, 1], "i4"), 3)


def unsorted_into_several_counts(tf):
    return tf.unsorted_segment_sum(fed(tf, [1, 2]), fed(tf, [0, 1], "i4"), fed(tf, [3], "i4"))


def sparse_segment_row_out_of_range(tf):
    return tf.sparse_segment_sum(fed(tf, [1, 2, 3]), fed(tf, [0, 3], "i4"), fed(tf, [0, 1], "i4"))


def sparse_segment_ids_in_disorder(tf):
    return tf.sparse_segment_mean(fed(tf, [1, 2, 3]), fed(tf, [0, 1], "i4"), fed(tf, [1, 0], "i4"))


def bincount_of_negatives(tf):
    return tf.raw_ops.Bincount(arr=fed(tf, [1, -2], "i4"), size=3, weights=fed(tf, []))


def gradient_of_a_wide_qr(tf):
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])
    return tf.gradients(tf.qr(x)[1], x)


def solve_with_no_square_when_run(tf):
    return tf.matrix_triangular_solve(fed(tf, [[1, 2]]), fed(tf, [[1], [2]]))


def solve_with_another_size(tf):
    return tf.matrix_triangular_solve(fed(tf, [[1, 1], [1, 1]]), fed(tf, [[1], [2], [3]]))


def betainc_of_two_lengths_when_run(tf):
    a, x = (tf.placeholder_with_default(value, None) for value in ([1.0], [0.5, 0.25]))
    return tf.betainc(a, a, x)


def betainc_of_two_ranks_when_run(tf):
    a, b = (tf.placeholder_with_default(value, None) for value in ([[1.0]], [1.0]))
    return tf.betainc(a, b, 0.5)


def histogram_of_a_range_with_many_digits(tf):
    return tf.histogram_fixed_width([1.0], [1 / 3, 0.1])


CASES = {
    "add_of_other_shapes_when_run": lambda tf: fed(tf, [1, 2]) + fed(tf, [1, 2, 3]),
    "equal_of_other_shapes_when_run": lambda tf: tf.equal(fed(tf, [1, 2]), fed(tf, [1, 2, 3])),
    "approximate_equal_does_not_broadcast": lambda tf: tf.raw_ops.ApproximateEqual(
        x=tf.zeros([2]), y=tf.zeros([3])
    ),
    "text_times_two": lambda tf: tf.constant(["a"]) * 2,
    "sqrt_of_an_int": lambda tf: tf.sqrt(4),
    "power_of_bools": lambda tf: tf.constant([True]) ** 2,
    "truediv_of_other_dtypes": lambda tf: tf.truediv(tf.constant([1]), tf.constant([2], tf.int64)),
    "truediv_of_text": lambda tf: tf.constant(["a"]) / tf.constant(["b"]),
    "div_no_nan_of_other_dtypes": lambda tf: tf.div_no_nan(
        tf.constant([1.0]), tf.constant([2.0], tf.float64)
    ),
    "conj_of_text": lambda tf: tf.conj("a"),
    "scalar_mul_of_a_vector": lambda tf: tf.scalar_mul([1.0, 2.0], tf.zeros([2])),
    "cast_of_text": lambda tf: tf.cast(fed(tf, ["1"], object), tf.int32),
    "bitcast_of_a_scalar": lambda tf: tf.bitcast(tf.constant(1, tf.uint8), tf.float32),
    "mod_by_zero": lambda tf: fed(tf, [1], "i4") % fed(tf, [0], "i4"),
    "div_by_zero": lambda tf: tf.raw_ops.Div(x=fed(tf, [1], "i8"), y=fed(tf, [0], "i8")),
    "truncatediv_by_zero": lambda tf: tf.truncatediv(fed(tf, [1], "i4"), fed(tf, [0], "i4")),
    "negative_power_of_ints": lambda tf: tf.pow(fed(tf, [2], "i4"), fed(tf, [-1], "i4")),
    "sum_over_a_missing_axis_of_several": lambda tf: tf.reduce_sum(tf.zeros([2, 3]), [0, -3]),
    "sum_over_axes_in_a_matrix": lambda tf: tf.reduce_sum(tf.zeros([2, 3]), [[0, 1]]),
    "sum_of_bools": lambda tf: tf.reduce_sum([True, False]),
    "argmax_over_two_axes": lambda tf: tf.argmax(tf.zeros([2, 3]), [0, 1]),
    "cumsum_along_two_axes": lambda tf: tf.cumsum(fed(tf, [[1, 2]]), fed(tf, [0], "i4")),
    "batch_matmul_of_a_vector_when_run": lambda tf: tf.matmul(fed(tf, [1, 2]), fed(tf, [[1], [2]])),
    "old_batch_matmul_of_other_batches": lambda tf: tf.raw_ops.BatchMatMul(
        x=tf.zeros([2, 2, 3]), y=tf.zeros([3, 3, 2])
    ),
    "tensordot_of_three_lists": lambda tf: tf.tensordot(
        tf.zeros([2, 2]), tf.zeros([2, 2]), [[0], [0], [1]]
    ),
    "norm_of_an_unknown_order": lambda tf: tf.norm([1.0, 2.0], ord="nuclear"),
    "cross_of_two_elements": lambda tf: tf.cross([[1.0, 2.0]], [[3.0, 4.0]]),
    "accumulate_n_of_other_dtypes": lambda tf: tf.accumulate_n(
        [tf.constant([1]), tf.constant([1.0])]
    ),
    "clip_by_bounds_of_another_shape": lambda tf: tf.clip_by_value(
        tf.zeros([2]), tf.zeros([3]), 1.0
    ),
    "global_norm_of_a_tensor": lambda tf: tf.global_norm(tf.zeros([2])),
    "segment_ids_too_few": lambda tf: tf.segment_mean(fed(tf, [1, 2, 3]), fed(tf, [0, 1], "i4")),
    "segment_ids_in_a_matrix": lambda tf: tf.segment_sum(tf.zeros([3]), [[0, 1, 2]]),
    "segments_of_a_scalar": lambda tf: tf.segment_sum(1.0, [0]),
    "sparse_segment_ids_too_few": lambda tf: tf.sparse_segment_sum(tf.zeros([3]), [0, 1], [0]),
    "sparse_segments_less_than_none": lambda tf: tf.sparse_segment_sum(
        tf.zeros([3]), [0, 1], [0, 0], num_segments=-1
    ),
    "bincount_of_a_negative_size": lambda tf: tf.raw_ops.Bincount(
        arr=[1], size=-1, weights=tf.zeros([0])
    ),
    "qr_of_a_vector": lambda tf: tf.qr(tf.zeros([3])),
    "betainc_of_other_shapes": lambda tf: tf.betainc([0.5, 1.0], [0.5, 1.0, 2.0], 0.5),
}
