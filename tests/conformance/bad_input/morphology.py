"""Dilation, erosion, fractional pooling, data formats: shapes, strides, rates, ratios, seeds that do not fit."""

import numpy as np

ONE = [1, 1, 1, 1]


def given(tf, shape):
    """A tensor whose shape is known when it is run only."""
    return tf.placeholder_with_default(np.ones(shape, "f"), None)


def dilated(tf, x=(1, 5, 5, 2), w=(3, 3, 2), strides=ONE, rates=ONE, padding="VALID"):
    return tf.nn.dilation2d(tf.ones(x), tf.ones(w), strides, rates, padding)


def three_axes_at_run_time(tf):
    return tf.nn.dilation2d(given(tf, [5, 5, 2]), tf.ones([3, 3, 2]), ONE, ONE, "SAME")


def filter_of_four_axes_at_run_time(tf):
    return tf.nn.dilation2d(tf.ones([1, 5, 5, 2]), given(tf, [3, 3, 2, 1]), ONE, ONE, "SAME")


def other_depth_at_run_time(tf):
    return tf.nn.dilation2d(given(tf, [1, 5, 5, 2]), given(tf, [3, 3, 3]), ONE, ONE, "SAME")


def second_gradient(tf):
    x = tf.ones([1, 5, 5, 2])
    y = tf.nn.dilation2d(x, tf.ones([3, 3, 2]), ONE, ONE, "SAME")
    return tf.gradients(tf.gradients(y * y, x)[0], x)


def gradient_of_another_size(tf):
    x, w, grad = tf.ones([1, 5, 5, 2]), tf.ones([3, 3, 2]), tf.ones([1, 4, 5, 2])
    settings = {"strides": ONE, "rates": ONE, "padding": "SAME"}
    return tf.raw_ops.Dilation2DBackpropInput(input=x, filter=w, out_backprop=grad, **settings)


def fraction_of_three_axes_at_run_time(tf):
    return tf.nn.fractional_max_pool(given(tf, [5, 5, 2]), [1.0, 1.5, 1.5, 1.0])[0]


def fraction_of_images_and_channels(tf):
    return tf.nn.fractional_max_pool(tf.ones([2, 5, 5, 2]), [1.5, 1.5, 1.5, 1.5])[0]


def mean_fraction_of_images_and_channels(tf):
    return tf.nn.fractional_avg_pool(tf.ones([2, 5, 5, 2]), [1.5, 1.5, 1.5, 1.5])[0]


def fraction_with_unused_seeds(tf):
    return tf.nn.fractional_max_pool(tf.ones([1, 5, 5, 2]), [1.0, 1.5, 1.5, 1.0], seed=3)[0]


CASES = {
    "filter_of_four_axes": lambda tf: dilated(tf, w=(3, 3, 2, 1)),
    "five_rates": lambda tf: dilated(tf, rates=[1] * 5),
    "strides_over_images": lambda tf: dilated(tf, strides=[2, 1, 1, 1]),
    "rates_over_channels": lambda tf: dilated(tf, rates=[1, 1, 1, 2]),
    "large_filter": lambda tf: dilated(tf, rates=[1, 4, 1, 1]),
    "strings": lambda tf: tf.nn.dilation2d(
        tf.fill([1, 5, 5, 2], "a"), tf.fill([3, 3, 2], "b"), ONE, ONE, "SAME"
    ),
    "worn_of_other_depth": lambda tf: tf.nn.erosion2d(
        tf.ones([1, 5, 5, 2]), tf.ones([3, 3, 3]), ONE, ONE, "SAME"
    ),
    "fraction_of_three_axes": lambda tf: tf.nn.fractional_max_pool(
        tf.ones([5, 5, 2]), [1.0, 1.5, 1.5, 1.0]
    ),
    "fraction_with_five_ratios": lambda tf: tf.nn.fractional_avg_pool(
        tf.ones([1, 5, 5, 2]), [1.0, 1.5, 1.5, 1.0, 1.0]
    ),
    "fraction_of_halves": lambda tf: tf.nn.fractional_max_pool(
        tf.ones([1, 5, 5, 2], tf.float16), [1.0, 1.5, 1.5, 1.0]
    ),
    "negative_fraction": lambda tf: tf.nn.fractional_max_pool(
        tf.ones([1, 5, 5, 2]), [1.0, -1.5, 1.5, 1.0]
    ),
    "axis_in_a_short_format": lambda tf: tf.raw_ops.DataFormatDimMap(x=[1, 2], src_format="NHC"),
    "sizes_of_three_axes": lambda tf: tf.raw_ops.DataFormatVecPermute(x=[1, 2, 3]),
    "sizes_in_three_columns": lambda tf: tf.raw_ops.DataFormatVecPermute(x=np.ones([4, 3], "i4")),
    "sizes_in_a_cube": lambda tf: tf.raw_ops.DataFormatVecPermute(x=np.ones([4, 2, 1], "i4")),
}
