"""Windows that reach far beyond their images: only what is inside counts."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(0)
    x = tf.constant(rng.randn(2, 5, 4, 3).astype("f"))
    volumes = tf.constant(rng.randn(1, 3, 4, 2, 2).astype("f"))
    fetches = []
    for size, stride in ((40, 1), (41, 3), (1000, 2)):
        ksize, strides = [1, size, size, 1], [1, stride, stride, 1]
        largest = tf.nn.max_pool(x, ksize, strides, "SAME")
        means = tf.nn.avg_pool(x, ksize, strides, "SAME")
        both, places = tf.nn.max_pool_with_argmax(x, ksize, strides, "SAME")
        fetches += [largest, means, both, places]
        fetches += tf.gradients([largest, means], x)
    for pool in (tf.nn.max_pool3d, tf.nn.avg_pool3d):
        pooled = pool(volumes, [1, 30, 31, 2, 1], [1, 2, 1, 1, 1], "SAME")
        fetches += [pooled, *tf.gradients(pooled, volumes)]
    return {"steps": [("pooled", [f for f in fetches if f is not None])]}
