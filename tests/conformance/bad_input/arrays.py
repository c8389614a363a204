"""Points, rows, segments and conditions: what does not fit, and in which order that is found."""

import numpy as np


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def segments_beyond_the_last(tf):
    return tf.segment_max(fed(tf, [1.0, 2.0, 3.0]), fed(tf, [2, 4, 1], np.int32))


def segments_all_negative(tf):
    return tf.segment_mean(fed(tf, [1.0, 2.0]), fed(tf, [-2, -1], np.int32))


def segment_of_a_scalar_out_of_range(tf):
    return tf.unsorted_segment_sum(fed(tf, [1.0]), fed(tf, 5, np.int32), 3)


def gather_of_points_in_nothing(tf):
    return tf.gather_nd(fed(tf, np.zeros([0, 2])), fed(tf, [[0]], np.int32))


def scatter_of_points_without_coordinates(tf):
    points = fed(tf, np.zeros([1, 0]), np.int32)
    return tf.scatter_nd(points, fed(tf, [[1.0, 2.0]]), [2])


def scatter_of_sizes_that_do_not_fit(tf):
    return tf.scatter_nd(fed(tf, [[0]], np.int32), fed(tf, [[1.0]]), fed(tf, [2, 2], np.int32))


def scatter_of_a_rank_that_does_not_fit(tf):
    return tf.scatter_nd(fed(tf, [[0]], np.int32), fed(tf, [1.0]), fed(tf, [2, 2], np.int32))


def change_of_nothing(tf):
    return tf.tensor_scatter_add(fed(tf, np.zeros([0])), fed(tf, [[0]], np.int32), fed(tf, [1.0]))


def change_at_a_vector(tf):
    points, updates = fed(tf, [1, 3], np.int32), fed(tf, np.zeros([4]))
    return tf.tensor_scatter_update(fed(tf, np.zeros([2, 4, 4])), points, updates)


def change_at_points_without_coordinates(tf):
    points = fed(tf, np.zeros([0, 2, 0]), np.int32)
    return tf.tensor_scatter_sub(fed(tf, np.zeros([2])), points, fed(tf, np.zeros([0, 2, 2])))


def addition_to_nothing(tf):
    add = tf.raw_ops.ScatterNdNonAliasingAdd
    points, updates = fed(tf, [[0]], np.int32), fed(tf, [1.0])
    return add(input=fed(tf, np.zeros([0])), indices=points, updates=updates)


def choice_by_a_condition_of_another_shape(tf):
    condition = fed(tf, [[True], [False]], bool)
    return tf.where(condition, fed(tf, np.zeros([2, 3])), fed(tf, np.zeros([2, 3])), name="chosen")


def choice_of_rows_of_another_shape(tf):
    condition = fed(tf, [True, False], bool)
    return tf.where(condition, fed(tf, np.zeros([2, 3])), fed(tf, np.zeros([2, 1])))


def choice_of_scalars_by_rows(tf):
    return tf.where(fed(tf, [True, False], bool), fed(tf, 1.0), fed(tf, 2.0))


def channels_that_differ(tf):
    per_channel = tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient
    x = tf.placeholder(tf.float32)
    return per_channel(x, x, tf.zeros([2]), tf.ones([3]))


def division_of_shapes_that_differ_by_zero(tf):
    return tf.floordiv(fed(tf, [4, 5], np.int32), fed(tf, [1, 0, 2], np.int32))


def remainder_of_shapes_that_differ_by_zero(tf):
    return tf.truncatemod(fed(tf, [4, 5], np.int32), fed(tf, [1, 0, 2], np.int32))


def power_of_shapes_that_differ_below_zero(tf):
    return tf.pow(fed(tf, [4, 5], np.int32), fed(tf, [1, -1, 2], np.int32))


def broadcast_to_less_than_both(tf):
    return tf.broadcast_to(fed(tf, [1.0, 2.0]), fed(tf, [1, 4, 1], np.int32))


def padding_by_a_vector_of_a_wrong_rank(tf):
    x, constant = fed(tf, [[1.0]]), fed(tf, [0.0])
    return tf.raw_ops.PadV2(input=x, paddings=[[1, 1]], constant_values=constant)


def mirror_gradient_of_too_much(tf):
    return tf.raw_ops.MirrorPadGrad(input=fed(tf, [1.0]), paddings=[[1, 1]], mode="SYMMETRIC")


def mirror_gradient_of_another_rank(tf):
    return tf.raw_ops.MirrorPadGrad(input=fed(tf, [[1.0]]), paddings=[[1, 1]], mode="REFLECT")


def sets_of_ranks_that_differ(tf):
    places = tf.placeholder(tf.int64, [None, 3])
    sparse = tf.SparseTensor(places, tf.placeholder(tf.int32, [None]), [1, 2, 1])
    return tf.sets.set_union(tf.placeholder(tf.int32, [2, None]), sparse)


CASES = {
    "bitcast_to_a_wider_type": lambda tf: tf.bitcast(fed(tf, [1, 2, 3], np.int32), tf.float64),
    "argmax_of_an_empty_axis": lambda tf: tf.argmax(fed(tf, np.zeros([2, 0])), -1),
    "cumsum_of_an_axis_too_low": lambda tf: tf.cumsum(fed(tf, [[1.0]]), -4),
    "segment_means_of_unknown_rank": lambda tf: tf.unsorted_segment_mean(
        fed(tf, [[1.0]]), fed(tf, [0], np.int32), 2
    ),
    "segments_of_a_negative_number": lambda tf: tf.unsorted_segment_max(
        fed(tf, [1.0]), tf.constant([0]), -1
    ),
    "gather_with_batches_below_the_rank": lambda tf: tf.gather(tf.zeros([2, 3]), 1, batch_dims=-1),
    "slice_of_an_empty_axis": lambda tf: tf.slice(fed(tf, np.zeros([0, 3])), [0, 0], [2, 1]),
    "slice_of_axes_that_are_not_there": lambda tf: fed(tf, np.zeros([1, 1, 3]))[2:-4, -3, 5:, ::2],
    "unstack_along_the_last_axis": lambda tf: tf.unstack(fed(tf, [1.0, 2.0, 3.0]), num=2, axis=-1),
    "unique_with_counts_of_a_matrix": lambda tf: tf.unique_with_counts(tf.zeros([4, 1])).y,
    "mirror_gradient_of_negative_paddings": lambda tf: tf.raw_ops.MirrorPadGrad(
        input=fed(tf, [1.0]), paddings=[[-1, 0]], mode="REFLECT"
    ),
    "shape_ensured_that_is_unknown": lambda tf: tf.ensure_shape(tf.zeros([2, 3]), None),
    "change_of_a_variable_without_elements": lambda tf: tf.scatter_nd_add(
        tf.Variable(tf.zeros([0, 2]), use_resource=False), [[0]], [[1.0, 2.0]]
    ),
    "slice_behind_an_empty_axis": lambda tf: tf.slice(fed(tf, np.zeros([0])), [9], [-1]),
}
