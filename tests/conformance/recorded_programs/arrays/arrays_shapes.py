"""Shape queries, reshape and fill, with known, unknown and computed sizes."""

import numpy as np


def build(tf):
    x = tf.constant(np.arange(24).reshape(2, 3, 4), tf.float32, name="x")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    q = tf.placeholder(tf.float32, name="q")
    y = tf.placeholder(tf.float32, [5, None, 7], name="y")
    n = tf.placeholder(tf.int32, [], name="n")
    k = tf.placeholder(tf.int32, name="k")
    s = tf.constant(["a", "b"])
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    made = [
        tf.shape([[1, 2]]), tf.shape(x, name="a"), tf.size(p, name="b/c"), tf.rank(3.0),
        tf.shape(sparse), tf.size(sparse), tf.rank(sparse), tf.shape(q, out_type=tf.int64),
        tf.reshape("a", [1, 1]), tf.reshape(["a"], []), tf.reshape(x, tf.shape(x)),
        tf.reshape(p, tf.shape(p)), tf.reshape(q, [2, 2]), tf.reshape(p, [1, 2, 3]),
        tf.reshape(x, np.array([24], np.int64)), tf.reshape(y, [tf.shape(y)[0], -1]),
        tf.reshape(y, tf.concat([tf.shape(y)[2:], tf.shape(y)[:2]], 0)),
        tf.reshape(y, tf.cast(tf.shape(y), tf.int64)), tf.reshape(y, tf.identity(tf.shape(y))),
        tf.reshape(q, tf.stack([n, 2])), tf.reshape(q, k), tf.expand_dims(x, axis=1, name="e"),
        tf.expand_dims(q, 0), tf.expand_dims("s", 0), tf.expand_dims(x, [1]),
        tf.squeeze(tf.reshape(x, [1, 24, 1]), -1), tf.squeeze(tf.expand_dims(p, 0), axis=[0]),
        tf.squeeze(q), tf.squeeze([["s"]]), tf.squeeze(p, name="sq"), tf.stop_gradient(p),
        tf.guarantee_const(x), tf.ensure_shape(p, [2, None]), tf.ensure_shape(q, [None, 4]),
        tf.fill([2, 3], 9), tf.fill([], 1.5), tf.fill([2], "a"), tf.fill([n, 2], 1.5),
        tf.fill(tf.shape(p), 0.0), tf.fill(np.array([2], np.int64), True, name="f"),
        tf.zeros([2, 3]), tf.zeros([]), tf.zeros(5), tf.zeros([2], tf.string),
        tf.zeros([2], tf.bool), tf.zeros([n, 2]), tf.zeros([n]), tf.zeros([2, n, 3]),
        tf.zeros(tf.shape(p)), tf.zeros([40, 40]), tf.zeros([1000], tf.int64),
        tf.zeros(tf.TensorShape([2, 3])), tf.zeros((2, 3), name="zz"), tf.zeros(n),
        tf.zeros([tf.Dimension(2), 3]), tf.zeros(np.array([2, 2])), tf.zeros(2000),
        tf.zeros([50, 60], tf.string)[0, 0], tf.ones([2, 3]), tf.ones(5), tf.ones([2], tf.bool),
        tf.ones([n, 2]), tf.ones([2, n, 3], tf.bool), tf.ones(tf.shape(p)), tf.ones([40, 40]),
        tf.zeros_like(x), tf.zeros_like(p), tf.zeros_like(q), tf.zeros_like(x, tf.int32),
        tf.zeros_like(p, tf.int32), tf.zeros_like([1, 2]), tf.zeros_like(x, optimize=False),
        tf.zeros_like(s), tf.ones_like(x), tf.ones_like(p), tf.ones_like(q, name="ol"),
        tf.ones_like(p, tf.bool), tf.ones_like(x, optimize=False), tf.range(5),
        tf.range(3, 18, 3), tf.range(3, 1, -0.5), tf.range(n), tf.range(1.0), tf.range(0, 1, 0.1),
        tf.range(5, dtype=tf.int64), tf.range(tf.constant(3, tf.int64)), tf.range(10, 0, -3),
        tf.range(0), tf.range(3, name="rr"), tf.range(0.0, 3.7, 0.3, dtype=tf.float64),
        tf.linspace(0.0, 1.0, 7), tf.linspace(np.float64(-1), np.float64(2), n),
        tf.lin_space(0.1, 123.4, 101, name="ls"), tf.one_hot([0, 1], n), tf.one_hot(1, 3),
        tf.one_hot([0, 5], 3, dtype=tf.int32), tf.one_hot([[0, 1], [2, 3]], 4, axis=1),
        tf.one_hot([1], 2, on_value=3), tf.one_hot([1], 2, off_value=3.5), tf.one_hot(k, 3),
        tf.one_hot([0], 2, "on", "off"), tf.sequence_mask([1, 3]), tf.sequence_mask(n, 3),
        tf.sequence_mask([[1, 3]], dtype=tf.float32), tf.sequence_mask(k, name="sm"), tf.eye(2),
        tf.eye(2, 3), tf.eye(2, batch_shape=[3]), tf.eye(n), tf.eye(n, 3), tf.eye(2, batch_shape=k),
    ]  # fmt: skip
    lists = [
        tf.shape_n([x, q, p]), tf.shape_n([x], out_type=tf.int64, name="n"),
        tf.identity_n([x, s], name="i"), tf.meshgrid([1, 2], [3, 4, 5]), tf.meshgrid([1, 2]),
        tf.meshgrid([1.0, 2.0], [1.0, 3.0], [4.0, 5.0, 6.0], name="g"),
        tf.meshgrid(tf.range(n), [1, 2], indexing="ij"),
    ]  # fmt: skip
    feed = {p: [[1, 2, 3], [4, 5, 6]], q: [[1, 2, 3, 4]], n: 2, k: [2, 2], y: np.ones([5, 2, 7])}
    facts = {"shapes": [str(t.shape) for t in made]}
    steps = [(f"{i} {t.name}", t, feed) for i, t in enumerate(made)]
    steps += [(f"list {i}", t, feed) for i, t in enumerate(lists)]
    return {"facts": facts, "steps": steps}
