"""3-D pooling, pooling with argmax, and with windows as inputs: mismatches."""

import numpy as np

ONE, TWO = [1, 1, 1, 1], [1, 2, 2, 1]
CUBES = [1, 2, 2, 2, 1]


def given(tf, shape, dtype="float32"):
    """A tensor whose shape is known only at run time."""
    return tf.placeholder_with_default(np.ones(shape, dtype), None)


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
