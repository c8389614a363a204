"""Shape, reshape, concat, split, stack, pad, tile, transpose, gather and similar ops."""

import numpy as np


def build(tf):
    x = tf.constant(np.arange(24).reshape(2, 3, 4), tf.float32, name="x")
    i = tf.constant([[1, 2, 3], [4, 5, 6]], name="i")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    q = tf.placeholder(tf.float32, name="q")
    s = tf.constant(["a", "b"])
    rows = tf.shape(p)[0]
    made = [
        tf.shape(x), tf.shape(p), tf.shape(q), tf.shape(x, out_type=tf.int64), tf.size(x),
        tf.size(p), tf.rank(x), tf.rank(q), tf.size(x, out_type=tf.int64), tf.shape(x)[1],
        tf.reshape(x, [-1]), tf.reshape(x, [4, -1]), tf.reshape(p, [rows, 3, 1]),
        tf.reshape(p, [3, rows]), tf.reshape(q, [-1, 2]), tf.reshape(i, tf.stack([3, 2])),
        tf.squeeze(x[:1]), tf.squeeze([[[1], [2]]], [0]), tf.squeeze(i[:1, :, None], [0, -1]),
        tf.expand_dims(x, 0), tf.expand_dims(i, -1), tf.expand_dims(p, axis=1),
        tf.expand_dims(3, 0),
        tf.concat([i, i], 0), tf.concat([i, i * 2], axis=-1), tf.concat([i], 1),
        tf.concat([p, p], 0), tf.concat([s, s], 0), tf.stack([i, i]), tf.stack([i, -i], axis=-1),
        tf.stack([rows, 3]), tf.stack([1.0, 2.0]), tf.stack([s, s], 1),
        tf.slice(x, [0, 1, 0], [1, 2, -1]), tf.slice(p, [0, 1], [-1, 2]), tf.slice(s, [1], [1]),
        tf.transpose(x), tf.transpose(p), tf.transpose(x, [1, 0, 2]), tf.tile(i, [2, 1]),
        tf.tile(s, [2]), tf.reverse(i, [1]), tf.reverse(x, [0, -1]),
        tf.invert_permutation([2, 0, 1]), tf.gather(i, [1, 0, 1]), tf.gather(s, 1),
        tf.gather(x, [[0, 3], [1, 1]], axis=2), tf.gather(p, tf.constant([0], tf.int64)),
        tf.one_hot([0, 2, -1], 3), tf.one_hot([[0, 1]], 2, 5, -5, axis=0),
        tf.one_hot([1], 2, on_value=True, off_value=False), tf.one_hot([0, 1], rows),
        tf.broadcast_dynamic_shape([2, 1], [1, 3]), tf.ones([rows, 2]), tf.identity(x)[0],
        tf.fill([rows], 1.5), tf.unstack(s)[0], tf.nn.embedding_lookup(x, [1]),
        tf.dynamic_stitch([[0, 2], [1]], [[10.0, 30.0], [20.0]]),
    ]  # fmt: skip
    lists = [
        tf.split(x, 2, 2), tf.split(i, [1, 2], axis=1), tf.split(p, 3, axis=1), tf.unstack(i),
        tf.unstack(x, axis=-1), tf.split(x, [1, -1], 1), tf.split(i, 2, 0),
        tf.dynamic_partition([1, 2, 3], [1, 0, 1], 2),
        tf.unstack(p, axis=1), tf.split(i, tf.constant([2, 1]), 1, num=2),
        tf.split(x, num_or_size_splits=2),
    ]  # fmt: skip
    feed = {p: [[1, 2, 3], [4, 5, 6]], q: [[1, 2, 3, 4]]}
    facts = {"shapes": [str(t.shape) for t in made]}
    steps = [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]
    steps += [(f"list {n}", t, feed) for n, t in enumerate(lists)]
    return {"facts": facts, "steps": steps}
