"""max_pool and avg_pool: ranks, window sizes, strides, paddings, formats, missing kernels."""

import numpy as np

TWO = [1, 2, 2, 1]


def images(tf, shape=(2, 5, 6, 3)):
    return tf.ones(shape)


def given(tf, shape):
    """A tensor whose shape is known only at run time."""
    return tf.placeholder_with_default(np.ones(shape, "f"), None)


def gradient_over_channels(tf):
    x = images(tf)
    return tf.gradients(tf.nn.max_pool(x, [1, 1, 1, 3], [1, 1, 1, 3], "SAME"), x)


# Numbers beyond int32


def window_beyond_int32_of_a_gradient(tf):
    x = tf.placeholder_with_default(np.ones([1, 3, 3, 1], "f"), None)
    attrs = {"ksize": [1, -(2**31) - 1, 1, 1], "strides": [1] * 4, "padding": "SAME"}
    return tf.raw_ops.MaxPoolGrad(orig_input=x, orig_output=x, grad=x, **attrs)


def stride_of_a_convolution_beyond_int32(tf):
    filters = tf.ones([1, 1, 1, 1])
    return tf.nn.conv2d(tf.ones([1, 3, 3, 1]), filters, [1, 2**31, 2**31, 1], "SAME")
