"""tf.contrib.image and resampler: mismatched ranks, dtypes, transforms and sizes."""

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
