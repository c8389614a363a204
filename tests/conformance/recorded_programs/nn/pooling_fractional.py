"""Fractional pooling with fixed seeds, dilation and erosion; their gradients."""

import numpy as np


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(12)
    x = tf.placeholder(tf.float32, [None, 13, 11, 2], name="x")
    w = tf.get_variable("w", [3, 2, 2])
    ratio = [1.0, 1.44, 1.73, 1.0]
    maxima = nn.fractional_max_pool(x, ratio, False, False, True, 3, 7)
    drawn = nn.fractional_max_pool(x, ratio, True, True, deterministic=True, seed=5, name="drawn")
    means = nn.fractional_avg_pool(x, [1.0, 2.3, 1.0, 1.0], True, False, True, 1, 2)
    shared = nn.fractional_avg_pool(x, ratio, overlapping=True, deterministic=True, seed2=9)
    one = [1, 1, 1, 1]
    grown = [
        nn.dilation2d(x, w, one, one, "SAME"),
        nn.dilation2d(x, strides=[1, 2, 2, 1], padding="VALID", filters=w, dilations=[1, 2, 3, 1]),
        nn.erosion2d(x, w, one, [1, 2, 1, 1], "SAME"),
        nn.erosion2d(x, w, [1, 3, 1, 1], one, "VALID", name="worn"),
    ]
    outputs = [maxima, drawn, means, shared, grown]
    first = [tf.gradients(tf.reduce_sum(y[0] * y[0]), x)[0] for y in (maxima, drawn)]
    fixed = tf.constant(rng.randn(2, 13, 11, 2), tf.float32)
    for y in (
        nn.fractional_avg_pool(fixed, ratio, True, False, True, 1, 2),
        nn.fractional_avg_pool(fixed, ratio, False, True, True, 1, 2),
    ):
        first.append(tf.gradients(tf.reduce_sum(y[0] * y[0]), fixed)[0])
    first += [tf.gradients(tf.reduce_sum(y * y), [x, w]) for y in grown]
    feed = {x: np.round(rng.randn(2, 13, 11, 2) * 8)}
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("outputs", outputs, feed),
        ("again", outputs, feed),
        ("first", first, feed),
    ]
    anything = tf.placeholder(tf.float32, None)
    shapes = [
        *maxima,
        *nn.fractional_avg_pool(anything, ratio),
        nn.dilation2d(anything, w, one, one, "SAME"),
        nn.dilation2d(tf.zeros([1, 9, 9, 2]), w, [1, 2, 3, 1], [1, 2, 2, 1], "VALID"),
        nn.dilation2d(x, anything, one, one, "VALID"),
    ]
    return {"facts": {"shapes": [str(y.shape) for y in shapes]}, "steps": steps}
