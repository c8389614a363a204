"""Dilation, erosion, fractional pooling, data formats: mismatched shapes, strides, rates, ratios, seeds."""

import numpy as np

ONE = [1, 1, 1, 1]


def given(tf, shape):
    """A tensor whose shape is known only at run time."""
    return tf.placeholder_with_default(np.ones(shape, "f"), None)


def dilated(tf, x=(1, 5, 5, 2), w=(3, 3, 2), strides=ONE, rates=ONE, padding="VALID"):
    return tf.nn.dilation2d(tf.ones(x), tf.ones(w), strides, rates, padding)


def second_gradient(tf):
    x = tf.ones([1, 5, 5, 2])
    y = tf.nn.dilation2d(x, tf.ones([3, 3, 2]), ONE, ONE, "SAME")
    return tf.gradients(tf.gradients(y * y, x)[0], x)


def gradient_of_another_size(tf):
    x, w, grad = tf.ones([1, 5, 5, 2]), tf.ones([3, 3, 2]), tf.ones([1, 4, 5, 2])
    settings = {"strides": ONE, "rates": ONE, "padding": "SAME"}
    return tf.raw_ops.Dilation2DBackpropInput(input=x, filter=w, out_backprop=grad, **settings)
