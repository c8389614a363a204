"""Blocks of space, patches of images and distances of sequences: sizes that do not divide or fit."""

import numpy as np

ONES = [1, 1, 1, 1]


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def space_to_batch_of_what_does_not_divide_when_run(tf):
    return tf.space_to_batch_nd(fed(tf, np.zeros([1, 3, 4, 1])), [2, 2], [[0, 0], [0, 0]])


def space_to_batch_of_paddings_of_another_shape_when_run(tf):
    paddings = fed(tf, [[0, 0]], np.int32)
    return tf.space_to_batch_nd(tf.zeros([1, 4, 4, 1]), [2, 2], paddings)


def space_to_batch_of_negative_paddings_when_run(tf):
    paddings = fed(tf, [[0, 0], [-1, 1]], np.int32)
    return tf.space_to_batch_nd(tf.zeros([1, 4, 4, 1]), [2, 2], paddings)


def space_to_batch_of_blocks_of_zero_when_run(tf):
    block = fed(tf, [2, 0], np.int32)
    return tf.space_to_batch_nd(tf.zeros([1, 4, 4, 1]), block, [[0, 0], [0, 0]])


def space_to_batch_of_a_rank_too_low_when_run(tf):
    return tf.space_to_batch_nd(fed(tf, np.zeros([4, 4])), [2, 2], [[0, 0], [0, 0]])


def batch_to_space_of_what_does_not_divide_when_run(tf):
    return tf.batch_to_space_nd(fed(tf, np.zeros([3, 2, 2, 1])), [2, 2], [[0, 0], [0, 0]])


def batch_to_space_cropped_too_much_when_run(tf):
    return tf.batch_to_space_nd(fed(tf, np.zeros([4, 2, 2, 1])), [2, 2], [[3, 2], [0, 0]])


def space_to_depth_of_what_does_not_divide_when_run(tf):
    return tf.space_to_depth(fed(tf, np.zeros([1, 3, 4, 1])), 2)


def space_to_depth_of_three_axes_when_run(tf):
    return tf.space_to_depth(fed(tf, np.zeros([4, 4, 1])), 2)


def space_to_depth_of_another_layout(tf):
    return tf.space_to_depth(tf.zeros([1, 1, 4, 4]), 2, data_format="NCHW")


def depth_to_space_of_what_does_not_divide_when_run(tf):
    return tf.depth_to_space(fed(tf, np.zeros([1, 2, 2, 6])), 2)


def patches_of_three_axes_when_run(tf):
    return tf.extract_image_patches(fed(tf, np.zeros([4, 4, 1])), [1, 2, 2, 1], ONES, ONES, "VALID")


def patches_across_the_batch(tf):
    images, strides = tf.zeros([1, 4, 4, 1]), [2, 1, 1, 1]
    return tf.extract_image_patches(images, [1, 2, 2, 1], strides, ONES, "VALID")


def sequence(tf, indices=((0, 0), (0, 1)), values=(1, 2), shape=(1, 2)):
    return tf.SparseTensor(np.array(indices, np.int64), list(values), list(shape))


def distance_of_vectors(tf):
    a = sequence(tf, [[0], [1]], shape=[2])
    return tf.edit_distance(a, a)


def distance_of_other_ranks_when_run(tf):
    parts = fed(tf, [[0, 0, 0]], np.int64), fed(tf, [1], np.int32), fed(tf, [1, 1, 2], np.int64)
    return tf.edit_distance(sequence(tf), tf.SparseTensor(*parts))


CASES = {
    "space_to_batch_of_three_axes": lambda tf: tf.space_to_batch(
        tf.zeros([4, 4, 4]), [[0, 0], [0, 0]], 2
    ),
    "old_space_to_batch_of_three_axes": lambda tf: tf.raw_ops.SpaceToBatch(
        input=tf.zeros([4, 4, 4]), paddings=[[0, 0]], block_size=2
    ),
    "batch_to_space_cropped_too_much": lambda tf: tf.batch_to_space(
        tf.zeros([4, 2, 2, 1]), [[3, 2], [0, 0]], 2
    ),
    "batch_to_space_of_negative_crops": lambda tf: tf.batch_to_space(
        fed(tf, np.zeros([4, 2, 2, 1])), [[-1, 0], [0, 0]], 2
    ),
    "space_to_depth_of_three_axes": lambda tf: tf.space_to_depth(tf.zeros([4, 4, 1]), 2),
    "paddings_of_an_unknown_block": lambda tf: tf.required_space_to_batch_paddings(
        [3, 4], fed(tf, [2, 2], np.int32)
    ),
    "paddings_of_other_lengths": lambda tf: tf.required_space_to_batch_paddings([3, 4, 5], [2, 2]),
    "patches_of_three_axes": lambda tf: tf.extract_image_patches(
        tf.zeros([4, 4, 1]), [1, 2, 2, 1], ONES, ONES, "VALID"
    ),
    "patches_of_five_sizes": lambda tf: tf.extract_image_patches(
        tf.zeros([1, 4, 4, 1]), [1, 2, 2, 1, 1], ONES, ONES, "VALID"
    ),
    "distance_of_dense": lambda tf: tf.edit_distance(tf.zeros([2, 2]), tf.zeros([2, 2])),
    "distance_of_other_ranks": lambda tf: tf.edit_distance(
        sequence(tf), sequence(tf, [[0, 0, 0], [0, 0, 1]], shape=[1, 1, 2])
    ),
    "distance_of_other_types": lambda tf: tf.edit_distance(
        sequence(tf), sequence(tf, values=("a", "b"))
    ),
}
