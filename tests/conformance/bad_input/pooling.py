"""max_pool and avg_pool: ranks, window sizes, strides, paddings, formats, what no kernel pools."""

import numpy as np

TWO = [1, 2, 2, 1]


def images(tf, shape=(2, 5, 6, 3)):
    return tf.ones(shape)


def given(tf, shape):
    """A tensor whose shape is known when it is run only."""
    return tf.placeholder_with_default(np.ones(shape, "f"), None)


def over_channels_and_rows(tf):
    return tf.nn.max_pool(images(tf), [1, 2, 1, 3], [1, 1, 1, 3], "SAME")


def over_a_part_of_the_channels(tf):
    return tf.nn.max_pool(images(tf), [1, 1, 1, 2], [1, 1, 1, 2], "SAME")


def over_channels_that_overlap(tf):
    return tf.nn.max_pool(images(tf), [1, 1, 1, 3], [1, 1, 1, 2], "SAME")


def gradient_over_channels(tf):
    x = images(tf)
    return tf.gradients(tf.nn.max_pool(x, [1, 1, 1, 3], [1, 1, 1, 3], "SAME"), x)


# Numbers that no int32 has


def window_beyond_int32_of_a_gradient(tf):
    x = tf.placeholder_with_default(np.ones([1, 3, 3, 1], "f"), None)
    attrs = {"ksize": [1, -(2**31) - 1, 1, 1], "strides": [1] * 4, "padding": "SAME"}
    return tf.raw_ops.MaxPoolGrad(orig_input=x, orig_output=x, grad=x, **attrs)


def stride_of_a_convolution_beyond_int32(tf):
    filters = tf.ones([1, 1, 1, 1])
    return tf.nn.conv2d(tf.ones([1, 3, 3, 1]), filters, [1, 2**31, 2**31, 1], "SAME")


CASES = {
    "three_axes_at_run_time": lambda tf: tf.nn.avg_pool(given(tf, [3, 4, 5]), 2, 2, "VALID"),
    "over_images": lambda tf: tf.nn.max_pool(images(tf), [2, 2, 2, 1], TWO, "SAME"),
    "mean_over_channels": lambda tf: tf.nn.avg_pool(images(tf), [1, 1, 1, 3], [1, 1, 1, 3], "SAME"),
    "mean_of_integers": lambda tf: tf.nn.avg_pool(tf.ones([1, 4, 4, 1], tf.int32), 2, 2, "SAME"),
    "largest_of_strings": lambda tf: tf.nn.max_pool(tf.fill([1, 4, 4, 1], "a"), 2, 2, "SAME"),
    "array_of_four_sizes": lambda tf: tf.nn.max_pool(images(tf), np.array(TWO), 2, "SAME"),
    "window_beyond_int32": lambda tf: tf.nn.max_pool(
        tf.ones([1, 3, 3, 1]), [1, 2**31, 1, 1], [1, 1, 1, 1], "SAME"
    ),
    "stride_at_the_end_of_int64": lambda tf: tf.nn.avg_pool3d(
        tf.ones([1, 3, 3, 3, 1]), [1] * 5, [1, 2**63 - 1, 1, 1, 1], "SAME"
    ),
    "block_beyond_int32": lambda tf: tf.space_to_depth(tf.ones([1, 3, 3, 1]), 2**31),
}
