"""Space-to-batch, image patches and edit distances: indivisible or mismatched sizes."""

import numpy as np

ONES = [1, 1, 1, 1]


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def space_to_batch_of_paddings_of_another_shape_when_run(tf):
    paddings = fed(tf, [[0, 0]], np.int32)
    return tf.space_to_batch_nd(tf.zeros([1, 4, 4, 1]), [2, 2], paddings)


def space_to_batch_of_negative_paddings_when_run(tf):
    paddings = fed(tf, [[0, 0], [-1, 1]], np.int32)
    return tf.space_to_batch_nd(tf.zeros([1, 4, 4, 1]), [2, 2], paddings)


def space_to_batch_of_blocks_of_zero_when_run(tf):
    block = fed(tf, [2, 0], np.int32)
    return tf.space_to_batch_nd(tf.zeros([1, 4, 4, 1]), block, [[0, 0], [0, 0]])


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
