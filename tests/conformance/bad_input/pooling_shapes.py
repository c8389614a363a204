"""Pooling over other axes, with places, with windows that are inputs: what does not fit."""

import numpy as np

ONE, TWO = [1, 1, 1, 1], [1, 2, 2, 1]
CUBES = [1, 2, 2, 2, 1]


def given(tf, shape, dtype="float32"):
    """A tensor whose shape is known when it is run only."""
    return tf.placeholder_with_default(np.ones(shape, dtype), None)


def line_of_four_axes(tf):
    return tf.nn.max_pool1d(tf.ones([1, 4, 4, 2]), 2, 2, "SAME")


def line_with_two_sizes(tf):
    return tf.nn.avg_pool1d(tf.ones([1, 4, 2]), [2, 2], 2, "SAME")


def line_channels_first_on_a_cpu(tf):
    return tf.nn.max_pool1d(tf.ones([1, 2, 4]), 2, 2, "SAME", data_format="NCW")


def any_of_unknown_rank(tf):
    return tf.nn.max_pool_v2(tf.placeholder(tf.float32), 2, 2, "SAME")


def any_of_two_axes(tf):
    return tf.nn.avg_pool_v2(tf.ones([4, 2]), 2, 2, "SAME")


def any_with_four_sizes(tf):
    return tf.nn.max_pool_v2(tf.ones([1, 4, 4, 4, 2]), [1, 2, 2, 1], 2, "SAME")


def pool_of_other_rank(tf):
    return tf.nn.pool(tf.ones([1, 4, 2]), [2, 2], "MAX", "SAME")


def pool_of_no_axes(tf):
    return tf.nn.pool(tf.ones([1, 4, 2]), [], "MAX", "SAME")


def pool_of_an_unknown_kind(tf):
    return tf.nn.pool(tf.ones([1, 4, 2]), [2], "MIN", "SAME")


def pool_in_long_steps(tf):
    return tf.nn.pool(tf.ones([1, 4, 2]), [2], "MAX", "SAME", strides=[3])


def pool_of_spread_windows_at_borders(tf):
    return tf.nn.pool(tf.ones([1, 4, 2]), [2], "MAX", "SAME", dilation_rate=[2])


def pool_in_steps_of_spread_windows(tf):
    return tf.nn.pool(tf.ones([1, 9, 2]), [2], "MAX", "VALID", dilation_rate=[2], strides=[2])


def pool_with_two_strides(tf):
    return tf.nn.pool(tf.ones([1, 4, 2]), [2], "AVG", "SAME", strides=[1, 1])


def pool_of_a_line_in_an_image_format(tf):
    return tf.nn.pool(tf.ones([1, 4, 2]), [2], "AVG", "SAME", data_format="NHWC")


def places(tf, x=(1, 4, 4, 2), ksize=TWO, strides=TWO, **options):
    return tf.nn.max_pool_with_argmax(tf.ones(x), ksize, strides, "SAME", **options)[1]


def places_channels_first(tf):
    return places(tf, data_format="NCHW")


def places_of_three_axes(tf):
    return places(tf, x=(4, 4, 2))


def places_over_images(tf):
    return places(tf, ksize=[2, 2, 2, 1])


def places_with_two_dtypes(tf):
    return places(tf, Targmax=tf.int64, output_dtype=tf.int32)


def places_of_strings(tf):
    return tf.nn.max_pool_with_argmax(tf.fill([1, 4, 4, 2], "a"), TWO, TWO, "SAME")


def second_gradient_of_places(tf):
    x = tf.ones([1, 4, 4, 2])
    y, _ = tf.nn.max_pool_with_argmax(x, TWO, TWO, "SAME")
    return tf.gradients(tf.gradients(y * y, x)[0], x)


def fed(tf, ksize=TWO, strides=TWO, x=(1, 4, 4, 2), **options):
    options.setdefault("padding", "SAME")
    return tf.raw_ops.MaxPoolV2(input=tf.ones(x), ksize=ksize, strides=strides, **options)


def fed_with_three_sizes(tf):
    return fed(tf, ksize=[1, 2, 2])


def fed_with_three_sizes_at_run_time(tf):
    return fed(tf, ksize=given(tf, [3], "int32"), strides=given(tf, [4], "int32"))


def fed_with_five_strides_at_run_time(tf):
    return fed(tf, ksize=given(tf, [4], "int32"), strides=given(tf, [5], "int32"))


def fed_over_images(tf):
    return fed(tf, ksize=[2, 2, 2, 1])


def fed_in_steps_of_nothing(tf):
    return fed(tf, strides=[1, 0, 2, 1])


def fed_channels_first_on_a_cpu(tf):
    return fed(tf, data_format="NCHW")


def fed_windows_of_floats(tf):
    return fed(tf, ksize=[1.0, 2.0, 2.0, 1.0])


def cubes(tf, x=(1, 4, 4, 4, 2), ksize=CUBES, strides=CUBES, **options):
    return tf.nn.max_pool3d(tf.ones(x), ksize, strides, "VALID", **options)


def means(tf, x=(1, 4, 4, 4, 2), ksize=CUBES, strides=CUBES, **options):
    return tf.nn.avg_pool3d(tf.ones(x), ksize, strides, "VALID", **options)


def cubes_of_four_axes(tf):
    return cubes(tf, x=(4, 4, 4, 2))


def cubes_of_four_axes_at_run_time(tf):
    return tf.nn.max_pool3d(given(tf, [4, 4, 4, 2]), 2, 2, "SAME")


def means_of_four_axes_at_run_time(tf):
    return tf.nn.avg_pool3d(given(tf, [4, 4, 4, 2]), 2, 2, "SAME")


def cubes_with_four_sizes(tf):
    return cubes(tf, ksize=[1, 2, 2, 1])


def cubes_over_channels(tf):
    return cubes(tf, ksize=[1, 2, 2, 2, 2])


def means_over_channels(tf):
    return means(tf, strides=[1, 2, 2, 2, 2])


def cubes_in_steps_of_nothing(tf):
    return cubes(tf, strides=[1, 0, 2, 2, 1])


def means_channels_first_on_a_cpu(tf):
    return means(tf, data_format="NCDHW")


def cubes_larger_than_the_volume(tf):
    return cubes(tf, ksize=[1, 5, 2, 2, 1])


def cubes_of_doubles(tf):
    return tf.nn.max_pool3d(tf.ones([1, 4, 4, 4, 2], tf.float64), 2, 2, "SAME")
