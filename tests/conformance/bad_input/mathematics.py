"""Math ops: mismatched shapes and dtypes, missing axes, division by zero, invalid segments."""

import numpy as np


def fed(tf, value, dtype=None):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype or np.float32), None)


def matmul_of_other_sizes_when_run(tf):
    a, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None, None])
    return tf.matmul(a, b, transpose_a=True), {a: np.zeros([2, 3]), b: np.zeros([3, 4])}


def raw_clip_by_bounds_of_another_shape(tf):
    bounds = {"clip_value_min": fed(tf, [1, 2]), "clip_value_max": fed(tf, 3)}
    return tf.raw_ops.ClipByValue(t=fed(tf, [1, 5, 9]), **bounds)


def gradient_of_a_wide_qr(tf):
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])
    return tf.gradients(tf.qr(x)[1], x)


def betainc_of_two_lengths_when_run(tf):
    a, x = (tf.placeholder_with_default(value, None) for value in ([1.0], [0.5, 0.25]))
    return tf.betainc(a, a, x)


def betainc_of_two_ranks_when_run(tf):
    a, b = (tf.placeholder_with_default(value, None) for value in ([[1.0]], [1.0]))
    return tf.betainc(a, b, 0.5)
