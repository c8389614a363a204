"""Indexing becomes StridedSlice with every mask; assignment to a slice of a variable."""

import numpy as np


def build(tf):
    x = tf.constant(np.arange(60, dtype=np.int32).reshape(3, 4, 5), name="x")
    v = tf.Variable(np.arange(12, dtype=np.float32).reshape(3, 4), name="v")
    p = tf.placeholder(tf.float32, [None, 4, 2], name="p")
    k = tf.constant(1, name="k")
    pieces = [
        x[0], x[-1], x[1:], x[:2], x[::2], x[::-1], x[1:3, 2], x[..., 0], x[0, ..., 1:3],
        x[:, tf.newaxis], x[tf.newaxis, ..., tf.newaxis], x[:, -2:, ::2], x[2, 3, 4], x[...],
        x[:], x[k], x[k:, 0], x[:k, ..., k], x[tf.constant(0):tf.constant(2)], x[3:1:-1],
        x[:, 1:1], x[-2:-1, ..., ::-2], x[np.int64(1)], x[1, tf.newaxis, 2], x[:, :, None, 1],
        v[0], v[1:, ::2], v[..., -1], v[tf.newaxis, 1],
    ]  # fmt: skip
    fed = [p[0], p[:, 1], p[..., 1], p[1:, ::2, tf.newaxis], p[:k], p[-1:]]
    written = [
        v[0].assign([9.0, 9.0, 9.0, 9.0]),
        v[1:, ::2].assign([[1.0, 2.0], [3.0, 4.0]]),
        v[..., -1].assign([7.0, 8.0, 9.0]),
    ]
    facts = {"shapes": [str(t.shape) for t in pieces + fed + written]}
    feed = {p: np.arange(16).reshape(2, 4, 2)}
    steps = [("init", v.initializer)]
    steps += [(f"piece {n}", t) for n, t in enumerate(pieces)]
    steps += [(f"fed {n}", t, feed) for n, t in enumerate(fed)]
    steps += [(f"written {n}", t) for n, t in enumerate(written)]
    steps += [("boolean mask", x[x > 50]), ("v", v)]
    steps += [("strided_slice", tf.strided_slice(x, [0, 1], [3, 3], [2, 1], end_mask=1))]
    steps += [("masks", tf.strided_slice(x, [1, 1, 0], [2, 2, 3], shrink_axis_mask=1))]
    return {"facts": facts, "steps": steps}
