"""1-D, 3-D, dilated and depthwise convolution: mismatched shapes, strides, rates, paddings, formats."""

import numpy as np

ONE = [1, 1, 1, 1]
FIVE = [1, 1, 1, 1, 1]


def given(tf, shape, dtype="float32"):
    """A tensor whose shape is known only at run time."""
    return tf.placeholder_with_default(np.ones(shape, dtype), None)


def line(tf, x=(1, 6, 2), w=(3, 2, 4), stride=1, padding="SAME", **options):
    return tf.nn.conv1d(tf.ones(x), tf.ones(w), stride, padding, **options)


def longer_with_unknown_format(tf):
    x, w = tf.ones([1, 3, 4]), tf.ones([3, 2, 4])
    return tf.nn.conv1d_transpose(x, w, [1, 6, 2], 2, data_format="NHWC")


def atrous_transpose_of_other_depth(tf):
    x, w = tf.ones([1, 6, 6, 3]), tf.ones([3, 3, 2, 4])
    return tf.nn.atrous_conv2d_transpose(x, w, [1, 6, 6, 2], 2, "SAME")


def atrous_transpose_into_other_filters(tf):
    x, w = tf.ones([1, 6, 6, 4]), tf.ones([3, 3, 2, 4])
    return tf.nn.atrous_conv2d_transpose(x, w, [1, 6, 6, 3], 2, "SAME")


def atrous_transpose_into_three_sizes(tf):
    x, w = tf.ones([1, 6, 6, 4]), tf.ones([3, 3, 2, 4])
    return tf.nn.atrous_conv2d_transpose(x, w, [6, 6, 2], 2, "SAME")


def atrous_transpose_of_no_rate(tf):
    x, w = tf.ones([1, 6, 6, 4]), tf.ones([3, 3, 2, 4])
    return tf.nn.atrous_conv2d_transpose(x, w, [1, 6, 6, 2], 0, "SAME")


def atrous_transpose_with_unknown_padding(tf):
    x, w = tf.ones([1, 6, 6, 4]), tf.ones([3, 3, 2, 4])
    return tf.nn.atrous_conv2d_transpose(x, w, [1, 6, 6, 2], 2, "same")


def blocks(tf, rate=(2, 2), padding="VALID", **options):
    x = tf.ones([1, 6, 6, 2])
    return tf.nn.with_space_to_batch(x, rate, padding, lambda b, n, p: b, **options)


def channels(tf, x=(1, 6, 6, 2), w=(3, 3, 2, 2), strides=ONE, padding="SAME", **options):
    return tf.nn.depthwise_conv2d_native(tf.ones(x), tf.ones(w), strides, padding, **options)


def channels_under_a_large_filter_at_run_time(tf):
    x, w = given(tf, [1, 4, 6, 2]), tf.ones([7, 3, 2, 2])
    return tf.nn.depthwise_conv2d_native(x, w, ONE, "VALID")


def of_channels(tf, sizes=(1, 4, 4, 2), grad=(1, 2, 2, 4), **options):
    sizes = sizes if hasattr(sizes, "op") else list(sizes)
    w, grad = tf.ones([3, 3, 2, 2]), tf.ones(grad)
    return tf.nn.depthwise_conv2d_backprop_input(sizes, w, grad, ONE, "VALID", **options)


def separable_without_points(tf):
    x, w = tf.ones([1, 6, 6, 2]), tf.ones([3, 3, 2, 2])
    return tf.nn.separable_conv2d(x, w, tf.ones([2, 1, 4, 3]), ONE, "SAME")


def separable_of_other_depth(tf):
    x, w = tf.ones([1, 6, 6, 2]), tf.ones([3, 3, 2, 2])
    return tf.nn.separable_conv2d(x, w, tf.ones([1, 1, 3, 3]), ONE, "SAME")


def volume(tf, x=(1, 4, 4, 4, 2), w=(2, 2, 2, 2, 3), strides=FIVE, padding="VALID", **options):
    return tf.nn.conv3d(tf.ones(x), tf.ones(w), strides, padding, **options)


def of_volume(tf, sizes=(1, 4, 4, 4, 2), grad=(1, 3, 3, 3, 3), strides=FIVE, **options):
    w = tf.ones([2, 2, 2, 2, 3])
    options.setdefault("padding", "VALID")
    return tf.nn.conv3d_transpose(tf.ones(grad), w, list(sizes), strides, **options)


def filter_of_a_volume_with_another_size(tf):
    x, grad = tf.ones([1, 4, 4, 4, 2]), tf.ones([1, 3, 3, 2, 3])
    return tf.nn.conv3d_backprop_filter_v2(x, [2, 2, 2, 2, 3], grad, FIVE, "VALID")


def filter_of_a_volume_with_other_filters(tf):
    x, grad = tf.ones([1, 4, 4, 4, 2]), tf.ones([1, 3, 3, 3, 3])
    return tf.nn.conv3d_backprop_filter_v2(x, [2, 2, 2, 2, 4], grad, FIVE, "VALID")
