"""Fused batch and local response normalization: ranks, sizes, layouts, unexpected statistics."""

import numpy as np

ONES = np.ones(3, "f")


def images(tf, shape=(2, 4, 5, 3)):
    return tf.constant(np.arange(np.prod(shape), dtype="f").reshape(shape))


def given(tf, shape):
    """A tensor whose shape is known only at run time."""
    return tf.placeholder_with_default(np.ones(shape, "f"), None)


def statistics_for_training_at_run_time(tf):
    op = tf.raw_ops.FusedBatchNormV3
    return op(x=images(tf), scale=ONES, offset=ONES, mean=ONES, variance=[])[0]


def means_with_two_axes(tf):
    mean = given(tf, (1, 3))
    return tf.nn.fused_batch_norm(images(tf), ONES, ONES, mean, given(tf, 3), is_training=False)[0]


def gradient_of_another_shape(tf):
    x = images(tf)
    return tf.raw_ops.LRNGrad(input_grads=x, input_image=given(tf, (1, 4, 5, 3)), output_image=x)


def no_such_dtype_together(tf):
    x = tf.cast(images(tf), tf.float64)
    return tf.nn.batch_normalization(x, ONES, ONES, tf.ones([3], tf.float64), None, 1e-3)
