"""gather_nd, rows, segments and where: mismatches, and the order of their checks."""

import numpy as np


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def scatter_of_points_without_coordinates(tf):
    points = fed(tf, np.zeros([1, 0]), np.int32)
    return tf.scatter_nd(points, fed(tf, [[1.0, 2.0]]), [2])


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


def channels_that_differ(tf):
    per_channel = tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient
    x = tf.placeholder(tf.float32)
    return per_channel(x, x, tf.zeros([2]), tf.ones([3]))


def padding_by_a_vector_of_a_wrong_rank(tf):
    x, constant = fed(tf, [[1.0]]), fed(tf, [0.0])
    return tf.raw_ops.PadV2(input=x, paddings=[[1, 1]], constant_values=constant)


def sets_of_ranks_that_differ(tf):
    places = tf.placeholder(tf.int64, [None, 3])
    sparse = tf.SparseTensor(places, tf.placeholder(tf.int32, [None]), [1, 2, 1])
    return tf.sets.set_union(tf.placeholder(tf.int32, [2, None]), sparse)
