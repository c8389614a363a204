"""Pooling over other axes, with places, with windows that are inputs: what does not fit."""

import numpy as np

ONE, TWO = [1, 1, 1, 1], [1, 2, 2, 1]
CUBES = [1, 2, 2, 2, 1]


def given(tf, shape, dtype="float32"):
    """A tensor whose shape is known when it is run only."""
    return tf.placeholder_with_default(np.ones(shape, dtype), None)


def line_channels_first_on_a_cpu(tf):
    return tf.nn.max_pool1d(tf.ones([1, 2, 4]), 2, 2, "SAME", data_format="NCW")


def places(tf, x=(1, 4, 4, 2), ksize=TWO, strides=TWO, **options):
    return tf.nn.max_pool_with_argmax(tf.ones(x), ksize, strides, "SAME", **options)[1]


def second_gradient_of_places(tf):
    x = tf.ones([1, 4, 4, 2])
    y, _ = tf.nn.max_pool_with_argmax(x, TWO, TWO, "SAME")
    return tf.gradients(tf.gradients(y * y, x)[0], x)


def fed(tf, ksize=TWO, strides=TWO, x=(1, 4, 4, 2), **options):
    options.setdefault("padding", "SAME")
    return tf.raw_ops.MaxPoolV2(input=tf.ones(x), ksize=ksize, strides=strides, **options)


def cubes(tf, x=(1, 4, 4, 4, 2), ksize=CUBES, strides=CUBES, **options):
    return tf.nn.max_pool3d(tf.ones(x), ksize, strides, "VALID", **options)


def means(tf, x=(1, 4, 4, 4, 2), ksize=CUBES, strides=CUBES, **options):
    return tf.nn.avg_pool3d(tf.ones(x), ksize, strides, "VALID", **options)


def cubes_of_four_axes_at_run_time(tf):
    return tf.nn.max_pool3d(given(tf, [4, 4, 4, 2]), 2, 2, "SAME")


def means_of_four_axes_at_run_time(tf):
    return tf.nn.avg_pool3d(given(tf, [4, 4, 4, 2]), 2, 2, "SAME")


CASES = {
    "line_of_four_axes": lambda tf: tf.nn.max_pool1d(tf.ones([1, 4, 4, 2]), 2, 2, "SAME"),
    "line_with_two_sizes": lambda tf: tf.nn.avg_pool1d(tf.ones([1, 4, 2]), [2, 2], 2, "SAME"),
    "any_of_unknown_rank": lambda tf: tf.nn.max_pool_v2(tf.placeholder(tf.float32), 2, 2, "SAME"),
    "any_of_two_axes": lambda tf: tf.nn.avg_pool_v2(tf.ones([4, 2]), 2, 2, "SAME"),
    "any_with_four_sizes": lambda tf: tf.nn.max_pool_v2(
        tf.ones([1, 4, 4, 4, 2]), [1, 2, 2, 1], 2, "SAME"
    ),
    "pool_of_no_axes": lambda tf: tf.nn.pool(tf.ones([1, 4, 2]), [], "MAX", "SAME"),
    "pool_of_an_unknown_kind": lambda tf: tf.nn.pool(tf.ones([1, 4, 2]), [2], "MIN", "SAME"),
    "pool_of_a_line_in_an_image_format": lambda tf: tf.nn.pool(
        tf.ones([1, 4, 2]), [2], "AVG", "SAME", data_format="NHWC"
    ),
    "places_channels_first": lambda tf: places(tf, data_format="NCHW"),
    "places_of_three_axes": lambda tf: places(tf, x=(4, 4, 2)),
    "places_over_images": lambda tf: places(tf, ksize=[2, 2, 2, 1]),
    "places_with_two_dtypes": lambda tf: places(tf, Targmax=tf.int64, output_dtype=tf.int32),
    "fed_with_three_sizes": lambda tf: fed(tf, ksize=[1, 2, 2]),
    "fed_with_three_sizes_at_run_time": lambda tf: fed(
        tf, ksize=given(tf, [3], "int32"), strides=given(tf, [4], "int32")
    ),
    "fed_with_five_strides_at_run_time": lambda tf: fed(
        tf, ksize=given(tf, [4], "int32"), strides=given(tf, [5], "int32")
    ),
    "fed_over_images": lambda tf: fed(tf, ksize=[2, 2, 2, 1]),
    "fed_in_steps_of_nothing": lambda tf: fed(tf, strides=[1, 0, 2, 1]),
    "fed_channels_first_on_a_cpu": lambda tf: fed(tf, data_format="NCHW"),
    "fed_windows_of_floats": lambda tf: fed(tf, ksize=[1.0, 2.0, 2.0, 1.0]),
    "cubes_of_four_axes": lambda tf: cubes(tf, x=(4, 4, 4, 2)),
    "cubes_over_channels": lambda tf: cubes(tf, ksize=[1, 2, 2, 2, 2]),
    "means_channels_first_on_a_cpu": lambda tf: means(tf, data_format="NCDHW"),
}
