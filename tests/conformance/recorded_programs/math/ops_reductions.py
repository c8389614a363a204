"""Reductions over all kinds of axes, cumulative ones, segments and their gradients."""

import numpy as np


def build(tf):
    x = tf.constant((np.arange(24) - 9.5).reshape(2, 3, 4) / 7, tf.float32, name="x")
    i = tf.constant([[3, -1, 4], [1, 5, -9]], name="i")
    e = tf.zeros([0, 3], name="empty")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    k = tf.placeholder(tf.int32, [], name="k")
    names = ["reduce_sum", "reduce_mean", "reduce_prod", "reduce_max", "reduce_min"]
    reduce = [getattr(tf, name) for name in names]
    made = [f(x) for f in reduce] + [f(x, axis=1) for f in reduce]
    made += [f(x, [0, -1], keepdims=True) for f in reduce] + [f(i, 0) for f in reduce]
    made += [f(e, 0) for f in reduce[:1] + reduce[2:]] + [f(e, 1) for f in reduce]
    made += [f(p) for f in reduce] + [f(p, k) for f in reduce]
    made += [
        tf.reduce_logsumexp(x), tf.reduce_logsumexp(x, 1), tf.reduce_logsumexp(x, 1, True),
        tf.reduce_sum(x, reduction_indices=[1]), tf.reduce_mean(x, 0, keep_dims=True),
        tf.math.reduce_std(x, 0), tf.math.reduce_variance(x), tf.norm(x), tf.norm(x, 1, axis=1),
        tf.norm(x, np.inf, axis=0), tf.norm(x, "euclidean", [1, 2], True),
        tf.argmax(x, 1), tf.argmin(x, 0), tf.argmax(i, 1, output_type=tf.int32), tf.argmax([3, 7]),
        tf.argmax(i), tf.reduce_sum(x, []), tf.reduce_sum(3.0),
        tf.cumsum(x, 2), tf.cumsum(x, 1, exclusive=True), tf.cumsum(i, 0, reverse=True),
        tf.cumprod(x, 2), tf.cumprod(i, 1, exclusive=True, reverse=True),
        tf.nn.moments(p, 0)[0], tf.nn.moments(x, [0, 1])[1], tf.nn.moments(p, 1, keep_dims=True)[1],
        tf.unsorted_segment_sum([1.0, 2.0, 3.0], [1, 0, 1], 3),
        tf.unsorted_segment_sum(i, [-1, 2], 4), tf.nn.zero_fraction(i - 3),
        tf.nn.l2_normalize(x, 1), tf.nn.l2_normalize(x, [0, 1], epsilon=0.5),
    ]  # fmt: skip
    loss = tf.add_n([
        tf.reduce_sum(tf.reduce_max(p, 1) * 2.0), tf.reduce_prod(tf.reduce_mean(p, 0)),
        tf.reduce_sum(tf.reduce_min(p, k)), tf.reduce_logsumexp(p), tf.reduce_sum(tf.cumsum(p, 1)),
        tf.reduce_sum(tf.cumprod(p, 1, reverse=True)), tf.reduce_mean(tf.reduce_prod(p, [1])),
        tf.reduce_sum(tf.norm(p, axis=1)), tf.reduce_sum(tf.reduce_mean(p, [-1], keepdims=True)),
        tf.reduce_sum(tf.square(tf.unsorted_segment_sum(p, [1, 0], 2))),
    ])  # fmt: skip
    grads = tf.gradients(loss, p)
    feed = {p: [[1.0, 2.0, 2.0], [0.5, -1.5, 3.0]], k: 1}
    steps = [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]
    return {"steps": steps + [("loss", loss, feed), ("gradient", grads, feed)]}
