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


def filter_with_three_axes(tf):
    return conv(tf, w=(3, 3, 2))


def input_with_three_axes_at_run_time(tf):
    return tf.nn.conv2d(given(tf, [4, 4, 2]), tf.ones([3, 3, 2, 5]), ONE, "SAME")


def filter_with_three_axes_at_run_time(tf):
    return tf.nn.conv2d(tf.ones([1, 4, 4, 2]), given(tf, [3, 3, 2]), ONE, "SAME")


def groups(tf):
    return conv(tf, x=(1, 4, 4, 6), w=(3, 3, 3, 4))


def groups_that_do_not_divide_the_filters(tf):
    return conv(tf, x=(1, 4, 4, 6), w=(3, 3, 3, 5))


def filter_larger_than_the_input_at_run_time(tf):
    return tf.nn.conv2d(given(tf, [1, 2, 4, 2]), tf.ones([5, 3, 2, 5]), ONE, "VALID")


def three_strides(tf):
    return conv(tf, strides=[1, 1, 1])


def two_strides_for_the_op(tf):
    return raw_conv(tf, strides=[1, 1], padding="SAME")


def one_dilation_for_the_op(tf):
    return raw_conv(tf, dilations=[1], padding="SAME")


def negative_stride(tf):
    return conv(tf, strides=[1, 1, -1, 1])


def stride_over_the_depth(tf):
    return conv(tf, strides=[1, 1, 1, 2])


def dilation_of_zero(tf):
    return conv(tf, dilations=[1, 0, 1, 1])


def dilation_over_the_batch(tf):
    return conv(tf, dilations=[2, 1, 1, 1])


def three_dilations(tf):
    return conv(tf, dilations=[1, 1, 1])


def no_padding(tf):
    return conv(tf, padding=None)


def explicit_padding_without_numbers(tf):
    return conv(tf, padding="EXPLICIT")


def negative_padding(tf):
    return conv(tf, padding=[[0, 0], [-1, 2], [0, 1], [0, 0]])


def padding_of_the_depth_channels_first(tf):
    pads = [[0, 0], [1, 0], [0, 1], [0, 0]]
    return conv(tf, x=(1, 2, 4, 4), padding=pads, data_format="NCHW")


def padding_of_three_axes(tf):
    return conv(tf, padding=[[0, 0], [1, 2], [0, 1]])


def padding_of_numbers(tf):
    return conv(tf, padding=[0, 0, 1, 1])


def padding_of_threes(tf):
    return conv(tf, padding=[[0, 0, 0], [1, 2], [0, 1], [0, 0]])


def numbers_with_another_padding(tf):
    return raw_conv(tf, padding="SAME", explicit_paddings=[0, 0, 1, 1, 1, 1, 0, 0])


def too_few_numbers(tf):
    return raw_conv(tf, padding="EXPLICIT", explicit_paddings=[0, 0, 1, 1])


def two_filters(tf):
    w = tf.ones([3, 3, 2, 5])
    return tf.nn.conv2d(tf.ones([1, 4, 4, 2]), w, ONE, "SAME", filters=w)


def for_input(tf, sizes=(1, 4, 4, 2), w=(3, 3, 2, 5), grad=(1, 2, 2, 5), strides=ONE, **options):
    sizes = sizes if hasattr(sizes, "op") else list(sizes)
    options.setdefault("padding", "VALID")
    w, grad = tf.ones(w), tf.ones(grad)
    return tf.nn.conv2d_backprop_input(sizes, w, grad, strides=strides, **options)


def sizes_of_three_axes_at_run_time(tf):
    return for_input(tf, sizes=given(tf, [3], "int32"))


def sizes_in_a_matrix(tf):
    return for_input(tf, sizes=tf.ones([2, 2], tf.int32))


def negative_sizes(tf):
    return for_input(tf, sizes=[1, -4, 4, 2])


def unknown_batch(tf):
    return for_input(tf, sizes=[-1, 4, 4, 2])


def gradient_with_a_flat_filter(tf):
    return for_input(tf, w=(3, 3, 2))


def gradient_with_three_axes(tf):
    return for_input(tf, grad=(3, 2, 5))


def gradient_of_other_filters(tf):
    return for_input(tf, grad=(1, 2, 2, 4))


def gradient_of_another_batch(tf):
    return for_input(tf, grad=(2, 2, 2, 5))


def gradient_with_channels_first(tf):
    return for_input(tf, sizes=[1, 2, 4, 4], grad=(1, 5, 2, 2), data_format="NCHW")


def gradient_with_two_dilations(tf):
    return for_input(tf, dilations=[1, 1])


def gradient_with_negative_padding(tf):
    return for_input(tf, padding=[[0, 0], [-1, 1], [1, 1], [0, 0]])


def for_filter(tf, x=(1, 4, 4, 2), sizes=(3, 3, 2, 5), grad=(1, 2, 2, 5), strides=ONE, **options):
    sizes = sizes if hasattr(sizes, "op") else list(sizes)
    x, grad = tf.ones(x), tf.ones(grad)
    return tf.nn.conv2d_backprop_filter(x, sizes, grad, strides, "VALID", **options)


def filter_sizes_of_three_axes(tf):
    return for_filter(tf, sizes=[3, 3, 2])


def filter_sizes_of_three_axes_at_run_time(tf):
    return for_filter(tf, sizes=given(tf, [3], "int32"))


def filter_sizes_in_a_matrix_at_run_time(tf):
    return for_filter(tf, sizes=given(tf, [2, 2], "int32"))


def filter_gradient_with_a_flat_input(tf):
    return for_filter(tf, x=(4, 4, 2))


def filter_gradient_with_three_axes(tf):
    return for_filter(tf, grad=(3, 2, 5))


def filter_gradient_of_other_filters(tf):
    return for_filter(tf, grad=(1, 2, 2, 4))


def filter_gradient_of_another_batch(tf):
    return for_filter(tf, x=(2, 4, 4, 2))


def filter_gradient_of_another_size(tf):
    return for_filter(tf, grad=(1, 3, 2, 5))


def filter_gradient_with_channels_first(tf):
    return for_filter(tf, x=(1, 2, 4, 4), grad=(1, 5, 2, 2), data_format="NCHW")


def filter_gradient_with_dilations(tf):
    return for_filter(tf, x=(1, 6, 6, 2), dilations=[1, 2, 2, 1])


def filter_gradient_with_strides_over_the_batch(tf):
    return for_filter(tf, strides=[2, 1, 1, 1])


def transposed(tf, x=(1, 2, 2, 5), shape=(1, 4, 4, 2), **options):
    options.setdefault("padding", "VALID")
    options.setdefault("strides", 1)
    return tf.nn.conv2d_transpose(tf.ones(x), tf.ones([3, 3, 2, 5]), shape, **options)


def transposed_into_three_axes(tf):
    return transposed(tf, shape=[1, 4, 4])


def transposed_with_given_padding(tf):
    return transposed(tf, padding=[[0, 0], [1, 1], [1, 1], [0, 0]])


def transposed_with_three_strides(tf):
    return transposed(tf, strides=[1, 1, 1])
