"""tf.contrib.image and resampler: ranks, dtypes, transforms and sizes that do not fit."""

import numpy as np


def image(tf, shape=(1, 3, 4, 1), dtype="float32"):
    return tf.zeros(shape, dtype)


def given(tf, value):
    return tf.placeholder_with_default(np.array(value), None)


MOVE = [1.0, 0, 1, 0, 1, 0, 0, 0]


def transformed(tf, images, transforms, size=(2, 2)):
    return tf.contrib.image.transform(images, transforms, output_shape=list(size))


def size_of_three_numbers_at_run_time(tf):
    size = given(tf, np.array([2, 2, 2], "i4"))
    return tf.contrib.image.transform(image(tf), MOVE, output_shape=size)


def spline_of_unknown_width(tf):
    points = tf.placeholder(tf.float32, [1, 3, None])
    return tf.contrib.image.interpolate_spline(points, tf.zeros([1, 3, 1]), points, 2)


def spline_of_unknown_depth(tf):
    points, values = tf.zeros([1, 3, 2]), tf.placeholder(tf.float32, [1, 3, None])
    return tf.contrib.image.interpolate_spline(points, values, points, 2)


def resampled_image_without_channels(tf):
    return tf.contrib.resampler.resampler(given(tf, np.zeros([1, 3, 4], "f")), tf.zeros([1, 2]))


def resampled_at_one_coordinate(tf):
    return tf.contrib.resampler.resampler(image(tf), given(tf, np.zeros([1, 5, 1], "f")))


CASES = {
    "rotated_strings": lambda tf: tf.contrib.image.rotate(tf.constant([[b"a"]]), 0.5),
    "matrix_of_angles": lambda tf: tf.contrib.image.rotate(image(tf), [[0.5]]),
    "transform_of_unknown_rank": lambda tf: transformed(tf, image(tf), tf.placeholder(tf.float32)),
    "flat_transforms_of_rank_3": lambda tf: tf.contrib.image.flat_transforms_to_matrices([[MOVE]]),
    "matrices_of_rank_1": lambda tf: tf.contrib.image.matrices_to_flat_transforms(MOVE),
    "nothing_composed": lambda tf: tf.contrib.image.compose_transforms(),
    "pairs_of_two_counts": lambda tf: tf.contrib.image.bipartite_match([[1.0, 2.0]], [1.0, 1.0]),
    "parts_of_four_axes": lambda tf: tf.contrib.image.connected_components(image(tf)),
    "flow_of_three_coordinates": lambda tf: tf.contrib.image.dense_image_warp(
        image(tf), tf.zeros([1, 3, 4, 3])
    ),
}
