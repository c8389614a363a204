"""conv2d and its gradients: mismatched ranks, depths, strides, paddings, dilations, formats, sizes."""

import numpy as np

ONE = [1, 1, 1, 1]


def given(tf, shape, dtype="float32"):
    """A tensor whose shape is known only at run time."""
    return tf.placeholder_with_default(np.ones(shape, dtype), None)


def conv(tf, x=(1, 4, 4, 2), w=(3, 3, 2, 5), strides=ONE, padding="VALID", **options):
    return tf.nn.conv2d(tf.ones(x), tf.ones(w), strides, padding, **options)


def raw_conv(tf, strides=ONE, **attrs):
    x, w = tf.ones([1, 4, 4, 2]), tf.ones([3, 3, 2, 5])
    return tf.raw_ops.Conv2D(input=x, filter=w, strides=strides, **attrs)


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
