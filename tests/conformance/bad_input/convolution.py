"""conv2d and its gradients: ranks, depths, strides, paddings, dilations, formats, sizes that do not fit."""

import numpy as np

ONE = [1, 1, 1, 1]


def given(tf, shape, dtype="float32"):
    """A tensor whose shape is known when it is run only."""
    return tf.placeholder_with_default(np.ones(shape, dtype), None)


def conv(tf, x=(1, 4, 4, 2), w=(3, 3, 2, 5), strides=ONE, padding="VALID", **options):
    return tf.nn.conv2d(tf.ones(x), tf.ones(w), strides, padding, **options)


def raw_conv(tf, strides=ONE, **attrs):
    x, w = tf.ones([1, 4, 4, 2]), tf.ones([3, 3, 2, 5])
    return tf.raw_ops.Conv2D(input=x, filter=w, strides=strides, **attrs)


def input_with_three_axes_at_run_time(tf):
    return tf.nn.conv2d(given(tf, [4, 4, 2]), tf.ones([3, 3, 2, 5]), ONE, "SAME")


def filter_with_three_axes_at_run_time(tf):
    return tf.nn.conv2d(tf.ones([1, 4, 4, 2]), given(tf, [3, 3, 2]), ONE, "SAME")


def padding_of_the_depth_channels_first(tf):
    pads = [[0, 0], [1, 0], [0, 1], [0, 0]]
    return conv(tf, x=(1, 2, 4, 4), padding=pads, data_format="NCHW")


def for_input(tf, sizes=(1, 4, 4, 2), w=(3, 3, 2, 5), grad=(1, 2, 2, 5), strides=ONE, **options):
    sizes = sizes if hasattr(sizes, "op") else list(sizes)
    options.setdefault("padding", "VALID")
    w, grad = tf.ones(w), tf.ones(grad)
    return tf.nn.conv2d_backprop_input(sizes, w, grad, strides=strides, **options)


def for_filter(tf, x=(1, 4, 4, 2), sizes=(3, 3, 2, 5), grad=(1, 2, 2, 5), strides=ONE, **options):
    sizes = sizes if hasattr(sizes, "op") else list(sizes)
    x, grad = tf.ones(x), tf.ones(grad)
    return tf.nn.conv2d_backprop_filter(x, sizes, grad, strides, "VALID", **options)


def transposed(tf, x=(1, 2, 2, 5), shape=(1, 4, 4, 2), **options):
    options.setdefault("padding", "VALID")
    options.setdefault("strides", 1)
    return tf.nn.conv2d_transpose(tf.ones(x), tf.ones([3, 3, 2, 5]), shape, **options)


CASES = {
    "groups": lambda tf: conv(tf, x=(1, 4, 4, 6), w=(3, 3, 3, 4)),
    "two_strides_for_the_op": lambda tf: raw_conv(tf, strides=[1, 1], padding="SAME"),
    "one_dilation_for_the_op": lambda tf: raw_conv(tf, dilations=[1], padding="SAME"),
    "dilation_of_zero": lambda tf: conv(tf, dilations=[1, 0, 1, 1]),
    "dilation_over_the_batch": lambda tf: conv(tf, dilations=[2, 1, 1, 1]),
    "explicit_padding_without_numbers": lambda tf: conv(tf, padding="EXPLICIT"),
    "negative_padding": lambda tf: conv(tf, padding=[[0, 0], [-1, 2], [0, 1], [0, 0]]),
    "padding_of_three_axes": lambda tf: conv(tf, padding=[[0, 0], [1, 2], [0, 1]]),
    "padding_of_numbers": lambda tf: conv(tf, padding=[0, 0, 1, 1]),
    "padding_of_threes": lambda tf: conv(tf, padding=[[0, 0, 0], [1, 2], [0, 1], [0, 0]]),
    "numbers_with_another_padding": lambda tf: raw_conv(
        tf, padding="SAME", explicit_paddings=[0, 0, 1, 1, 1, 1, 0, 0]
    ),
    "too_few_numbers": lambda tf: raw_conv(tf, padding="EXPLICIT", explicit_paddings=[0, 0, 1, 1]),
    "sizes_of_three_axes_at_run_time": lambda tf: for_input(tf, sizes=given(tf, [3], "int32")),
    "negative_sizes": lambda tf: for_input(tf, sizes=[1, -4, 4, 2]),
    "gradient_with_a_flat_filter": lambda tf: for_input(tf, w=(3, 3, 2)),
    "gradient_of_other_filters": lambda tf: for_input(tf, grad=(1, 2, 2, 4)),
    "gradient_with_channels_first": lambda tf: for_input(
        tf, sizes=[1, 2, 4, 4], grad=(1, 5, 2, 2), data_format="NCHW"
    ),
    "gradient_with_two_dilations": lambda tf: for_input(tf, dilations=[1, 1]),
    "gradient_with_negative_padding": lambda tf: for_input(
        tf, padding=[[0, 0], [-1, 1], [1, 1], [0, 0]]
    ),
    "filter_sizes_of_three_axes": lambda tf: for_filter(tf, sizes=[3, 3, 2]),
    "filter_sizes_of_three_axes_at_run_time": lambda tf: for_filter(
        tf, sizes=given(tf, [3], "int32")
    ),
    "filter_sizes_in_a_matrix_at_run_time": lambda tf: for_filter(
        tf, sizes=given(tf, [2, 2], "int32")
    ),
    "filter_gradient_with_a_flat_input": lambda tf: for_filter(tf, x=(4, 4, 2)),
    "filter_gradient_with_three_axes": lambda tf: for_filter(tf, grad=(3, 2, 5)),
    "filter_gradient_of_other_filters": lambda tf: for_filter(tf, grad=(1, 2, 2, 4)),
    "filter_gradient_of_another_batch": lambda tf: for_filter(tf, x=(2, 4, 4, 2)),
    "filter_gradient_of_another_size": lambda tf: for_filter(tf, grad=(1, 3, 2, 5)),
    "filter_gradient_with_channels_first": lambda tf: for_filter(
        tf, x=(1, 2, 4, 4), grad=(1, 5, 2, 2), data_format="NCHW"
    ),
    "filter_gradient_with_dilations": lambda tf: for_filter(
        tf, x=(1, 6, 6, 2), dilations=[1, 2, 2, 1]
    ),
    "transposed_with_given_padding": lambda tf: transposed(
        tf, padding=[[0, 0], [1, 1], [1, 1], [0, 0]]
    ),
}
