"""Concat, stack, split, pad, tile, and lists that contain tensors."""

import numpy as np


def build(tf):
    x = tf.constant(np.arange(24).reshape(2, 3, 4), tf.float32, name="x")
    i = tf.constant([[1, 2, 3], [4, 5, 6]], name="i")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    q = tf.placeholder(tf.float32, name="q")
    n = tf.placeholder(tf.int32, [], name="n")
    k = tf.placeholder(tf.int32, name="k")
    s = tf.constant(["a", "b"])
    made = [
        tf.concat([i], 1), tf.concat(axis=0, values=[q, q]), tf.concat([q, [[1.0, 2.0, 3.0]]], 0),
        tf.concat([p, p], n - 1), tf.concat(i, 0), tf.concat([[1], [2]], tf.constant(0, tf.int64)),
        tf.concat([p, [[1.0, 2.0, 3.0]]], 0, name="cc"), tf.stack([q, q]), tf.stack([p, q], axis=2),
        tf.stack([p, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]), tf.stack([tf.constant(1), 2]),
        tf.stack([1, tf.constant(2)]), tf.stack(["x", tf.constant("y")]),
        tf.stack([[1, 2], [3, 4]], axis=1), tf.stack([i, i, i], axis=-2, name="st"), tf.stack(i),
        tf.stack([[tf.constant(1), 2], [3, 4]]), tf.stack([1, 2.0]),
        tf.convert_to_tensor([[1, tf.constant(2)], [3, 4]]),
        tf.convert_to_tensor([[tf.constant(1.0), 2], [3, 4]], name="nm"),
        tf.convert_to_tensor([tf.constant(1), tf.constant(2)], dtype=tf.int32),
        tf.parallel_stack([i, i]), tf.tile(p, [1, n]), tf.tile(q, k), tf.tile("s", []),
        tf.tile([[1], [2]], [1, 0]), tf.tile(p, np.array([2, 3]), name="ti"),
        tf.broadcast_to(p, [2, 2, 3]), tf.broadcast_to("a", [2]), tf.broadcast_to(i, [n, n, n + 1]),
        tf.broadcast_dynamic_shape([2, 1], k), tf.pad(p, [[1, 1], [0, 0]], constant_values=9),
        tf.pad(s, [[1, 1]]), tf.pad(p, [[0, n], [1, 0]]), tf.pad(s, [[1, 0]], constant_values="z"),
        tf.pad(x, [[2, 1], [0, 3], [1, 1]], "SYMMETRIC", name="pd"),
        tf.pad(i, tf.constant([[1, 0], [0, 2]], tf.int64)), tf.pad(q, [k, k]),
        tf.repeat([1, 2], [3, 1]), tf.repeat([[1, 2], [3, 4]], 2), tf.repeat(3, 4),
        tf.repeat([[1, 2], [3, 4]], [1, 2], axis=1), tf.repeat(p, n, 0),
        tf.repeat(q, 2, 1, name="rp"),
    ]  # fmt: skip
    lists = [
        tf.unstack(q, num=2), tf.unstack([1, 2]), tf.unstack(x, 3, 1, name="u"),
        tf.unstack(i, axis=-2), tf.split(q, 3, 1), tf.split(q, [1, 2], -1), tf.split(s, 2),
        tf.split(p, 1), tf.split(x, 3, -2, name="sp"), tf.split(p, [-1, 1], 0),
        tf.split(x, [3, 1, 0], -1), tf.split([1, 2, 3, 4], tf.Dimension(2)),
        tf.split(x, np.array([1, 1]), 0), tf.split(i, k[:1], 0, num=1),
    ]  # fmt: skip
    feed = {p: [[1, 2, 3], [4, 5, 6]], q: [[1, 2, 3], [4, 5, 6]], n: 2, k: [2, 1]}
    facts = {
        "shapes": [str(t.shape) for t in made],
        "broadcast": [
            str(tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([1, 3]))),
            str(tf.broadcast_static_shape(tf.TensorShape([None, 1]), tf.TensorShape([5, None]))),
        ],
    }
    steps = [(f"{i} {t.name}", t, feed) for i, t in enumerate(made)]
    steps += [(f"list {i}", t, feed) for i, t in enumerate(lists)]
    return {"facts": facts, "steps": steps}
