"""Gradient graphs of rearranging ops: shapes known and unknown, first and second order."""

import numpy as np


def build(tf):
    x = tf.placeholder(tf.float32, [3, 4], name="x")
    p = tf.placeholder(tf.float32, [None, 4], name="p")
    k = tf.constant([2, 0, 2], name="k")
    rows = tf.shape(p)[0]
    made = [
        tf.reshape(x, [2, 6]), tf.reshape(p, [-1, 2]), tf.concat([x, p], 0),
        tf.concat([x, x * 2.0], 1), tf.concat([p, x, p], axis=-2), tf.stack([x, x + 1.0], 1),
        tf.split(x, 2, 1)[0], tf.split(x, [1, 3], 1)[1], tf.split(p, 4, axis=1)[2],
        tf.unstack(x)[1], tf.slice(x, [0, 1], [2, 2]), x[1], x[:, 1:3], x[::-2, tf.newaxis], p[0],
        p[..., -1], x[1:, 2], tf.gather(x, k), tf.gather(p, k, axis=1),
        tf.gather(x, [[0, 1]], axis=1), tf.transpose(x), tf.transpose(p), tf.transpose(x, [1, 0]),
        tf.tile(x, [2, 1]), tf.tile(p, [1, 2]), tf.expand_dims(p, 0), tf.squeeze(x[:, None]),
        tf.squeeze(p[None], [0]), tf.reverse(x, [0]), tf.identity(x), tf.fill([2, 2], x[0, 0]),
        tf.boolean_mask(x, [True, False, True]), tf.dynamic_partition(x, [0, 1, 0], 2)[0],
        tf.dynamic_stitch([[0, 2, 1], [3]], [x, x[:1]]), tf.diag_part(x[:, :3]),
        tf.matrix_set_diag(x, x[:, 0]), tf.reduce_sum(p, 0), tf.reduce_mean(p), tf.reduce_max(x, 1),
        tf.reduce_prod(x, 1), tf.reduce_min(p, [1], True), tf.reduce_mean(x, [0, 1]),
        tf.reduce_sum(x, tf.constant([1])), tf.reduce_logsumexp(x, 1),
        tf.cumsum(x, 1, reverse=True), tf.cumprod(x, 0, exclusive=True),
        tf.matmul(x, p, transpose_b=True), tf.unsorted_segment_sum(x, [1, 0, 1], 2),
        tf.ones([rows, 1]) * p, tf.zeros_like(p) + p,
        tf.cond(rows > 1, lambda: p[0], lambda: p[-1]), tf.nn.embedding_lookup(x, k),
        tf.one_hot(k, 4) * x, tf.tuple([x, p])[0], tf.where(x > 0, x, tf.ones_like(x)),
    ]  # fmt: skip
    gradients = []
    for t in made:
        gradients.append([g for g in tf.gradients(tf.square(t), [x, p]) if g is not None])
    second = [
        tf.gradients(g[0], [x, p]) for g in gradients if not isinstance(g[0], tf.IndexedSlices)
    ]
    feed = {x: np.linspace(-1, 2, 12).reshape(3, 4), p: np.linspace(3, -2, 8).reshape(2, 4)}
    steps = [(f"{n} {t.name}", [t, g], feed) for n, (t, g) in enumerate(zip(made, gradients))]
    kept = [[k for k in s if k is not None] for s in second]
    steps += [(f"second {n}", s, feed) for n, s in enumerate(kept)]
    facts = {
        "kinds": [
            [type(g).__name__ + str(getattr(g, "dense_shape", g).shape) for g in pair]
            for pair in gradients
        ]
    }
    return {"facts": facts, "steps": steps}
