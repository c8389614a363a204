"""Convolution over other axes, dilated, by channel: shapes, strides, rates, paddings, formats that do not fit."""

import numpy as np

ONE = [1, 1, 1, 1]
FIVE = [1, 1, 1, 1, 1]


def given(tf, shape, dtype="float32"):
    """A tensor whose shape is known when it is run only."""
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


def channels_of_three_axes_at_run_time(tf):
    return tf.nn.depthwise_conv2d_native(given(tf, [6, 6, 2]), tf.ones([3, 3, 2, 2]), ONE, "SAME")


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


def volume_of_four_axes_at_run_time(tf):
    return tf.nn.conv3d(given(tf, [4, 4, 4, 2]), tf.ones([2, 2, 2, 2, 3]), FIVE, "SAME")


def volume_with_a_flat_filter_at_run_time(tf):
    return tf.nn.conv3d(tf.ones([1, 4, 4, 4, 2]), given(tf, [2, 2, 2, 3]), FIVE, "SAME")


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


CASES = {
    "sequence_of_four_axes": lambda tf: line(tf, x=(1, 6, 2, 2)),
    "sequence_with_unknown_format": lambda tf: line(tf, data_format="WNC"),
    "sequence_with_two_strides": lambda tf: line(tf, stride=[1, 2]),
    "any_transpose_of_two_sizes": lambda tf: tf.nn.conv_transpose(
        tf.ones([1, 3, 4]), tf.ones([3, 2, 4]), [1, 6], 2
    ),
    "any_transpose_into_a_number": lambda tf: tf.nn.conv_transpose(
        tf.ones([1, 3, 4]), tf.ones([3, 2, 4]), 6, 2
    ),
    "any_of_two_axes": lambda tf: tf.nn.convolution(tf.ones([3, 4]), tf.ones([3, 4]), "SAME"),
    "any_of_unknown_rank": lambda tf: tf.nn.convolution(
        tf.placeholder(tf.float32), tf.placeholder(tf.float32), "SAME"
    ),
    "any_of_other_depth": lambda tf: tf.nn.convolution(
        tf.ones([1, 6, 6, 3]), tf.ones([3, 3, 2, 4]), "SAME", dilations=2
    ),
    "any_with_a_flat_filter": lambda tf: tf.nn.convolution(
        tf.ones([1, 6, 6, 2]), tf.ones([3, 2, 4]), "SAME", dilations=[2, 2]
    ),
    "atrous_of_no_rate": lambda tf: tf.nn.atrous_conv2d(
        tf.ones([1, 6, 6, 2]), tf.ones([3, 3, 2, 4]), 0, "SAME"
    ),
    "blocks_of_unknown_rates": lambda tf: blocks(tf, rate=tf.placeholder(tf.int32, [None])),
    "blocks_with_zeros_around_nothing": lambda tf: blocks(tf, padding="SAME"),
    "blocks_along_falling_axes": lambda tf: blocks(tf, spatial_dims=[2, 1]),
    "channels_in_steps_over_the_batch": lambda tf: channels(tf, strides=[2, 1, 1, 1]),
    "gradient_of_channels_of_another_size": lambda tf: of_channels(tf, grad=(1, 3, 2, 4)),
    "gradient_of_channels_of_other_columns": lambda tf: of_channels(tf, grad=(1, 2, 3, 4)),
    "gradient_of_channels_of_another_batch": lambda tf: of_channels(tf, grad=(2, 2, 2, 4)),
    "gradient_of_channels_of_another_depth": lambda tf: of_channels(tf, grad=(1, 2, 2, 5)),
    "gradient_of_channels_for_a_matrix": lambda tf: of_channels(
        tf, sizes=given(tf, [1, 4], "int32")
    ),
    "gradient_of_channels_first_on_a_cpu": lambda tf: of_channels(
        tf, sizes=(1, 2, 4, 4), grad=(1, 4, 2, 2), data_format="NCHW"
    ),
    "volume_of_other_depth": lambda tf: volume(tf, x=(1, 4, 4, 4, 3)),
    "volume_with_six_strides": lambda tf: volume(tf, strides=[1] * 6),
    "volume_with_dilated_depth": lambda tf: volume(tf, dilations=[1, 1, 1, 1, 2]),
    "volume_with_dilations_on_a_cpu": lambda tf: volume(tf, dilations=[1, 2, 1, 1, 1]),
    "volume_channels_first_on_a_cpu": lambda tf: volume(tf, x=(1, 2, 4, 4, 4), data_format="NCDHW"),
    "volume_smaller_than_the_filter": lambda tf: volume(tf, w=(5, 2, 2, 2, 3)),
    "larger_volume_of_other_depth": lambda tf: of_volume(tf, grad=(1, 3, 3, 3, 4)),
    "larger_volume_into_another_size": lambda tf: of_volume(tf, sizes=(1, 5, 4, 4, 2)),
    "larger_volume_into_another_batch": lambda tf: of_volume(tf, sizes=(2, 4, 4, 4, 2)),
    "larger_volume_into_four_sizes": lambda tf: of_volume(tf, sizes=(4, 4, 4, 2)),
    "larger_volume_with_dilations": lambda tf: of_volume(tf, dilations=2),
    "larger_volume_channels_first_on_a_cpu": lambda tf: of_volume(
        tf, sizes=(1, 2, 4, 4, 4), grad=(1, 3, 3, 3, 3), data_format="NCDHW"
    ),
    "larger_volume_in_steps_over_the_batch": lambda tf: of_volume(tf, strides=[2, 1, 1, 1, 1]),
    "larger_volume_in_steps_of_nothing": lambda tf: of_volume(tf, strides=[1, 1, 0, 1, 1]),
}
