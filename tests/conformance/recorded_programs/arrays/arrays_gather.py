"""Gather, gather_nd, masks, where, unique, dynamic_partition; static and unknown shapes."""

import numpy as np


def build(tf):
    x = tf.constant(np.arange(24).reshape(2, 3, 4), tf.float32, name="x")
    i = tf.constant([[1, 2, 3], [4, 5, 6]], name="i")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    q = tf.placeholder(tf.float32, name="q")
    n = tf.placeholder(tf.int32, [], name="n")
    k = tf.placeholder(tf.int32, name="k")
    b = tf.placeholder(tf.bool, [None], name="b")
    s = tf.constant(["a", "b"])
    made = [
        tf.gather(q, [0]), tf.gather(q, [[0]], axis=1), tf.gather([1, 2, 3], k),
        tf.gather(x, k, axis=n), tf.gather(i, [0], name="g"),
        tf.gather(x, [[0, 1], [2, 0]], batch_dims=1),
        tf.gather(x, [[0, 1], [2, 0]], axis=2, batch_dims=1),
        tf.gather(i, [[0, 1, 2], [2, 1, 0]], batch_dims=-1, axis=1),
        tf.gather(i, tf.constant([0]), axis=tf.constant(1)),
        tf.gather(x, [0, 1], axis=tf.constant(-2, tf.int64)), tf.gather_nd(p, [[0, 2]]),
        tf.gather_nd(q, [[0, 1]]), tf.gather_nd(s, [[1], [0]]), tf.gather_nd(i, k[:, None]),
        tf.gather_nd(i, np.zeros([2, 0], np.int64)), tf.manip.gather_nd(x, [[1], [0]], name="gn"),
        tf.gather_nd(x, [[[0], [1]], [[2], [0]]], batch_dims=1),
        tf.gather_nd(x, [[[1], [0], [3]], [[2], [1], [0]]], batch_dims=2, name="bg"),
        tf.batch_gather(x, [[2, 0], [1, 1]]), tf.batch_gather(p, [[0], [2]]),
        tf.batch_gather(i, [1]),
        tf.scatter_nd([[1], [1]], [9.0, 8.0], [3]), tf.scatter_nd([[1], [0]], ["x", "y"], [2]),
        tf.scatter_nd([[0, 1], [1, 0]], [[1.0, 2.0], [3.0, 4.0]], [2, 2, 2]),
        tf.scatter_nd([[1]], [5], [n], name="sn"), tf.tensor_scatter_update([1, 2, 3], [[0]], [9]),
        tf.tensor_scatter_add([1.0, 2, 3], [[0], [0]], [9, 8]),
        tf.tensor_scatter_nd_sub(x, [[0, 1]], [[1.0, 1.0, 1.0, 1.0]]),
        tf.unravel_index([2, 5], [3, 3]), tf.unravel_index(k, [2, 3]), tf.where(b), tf.where(q > 2),
        tf.where([0, 3, 0]), tf.where(b, name="w"), tf.where(b, p, p + 1.0), tf.where(n > 1, i, -i),
        tf.where([True, False], s, ["x", "y"]), tf.where_v2([[True], [False]], i, 0),
        tf.where_v2(b[:, None], p, 0.0), tf.where_v2([True, False], name="wv"),
        tf.boolean_mask(i, [True, False]), tf.boolean_mask(p, b), tf.boolean_mask(p, p > 2),
        tf.boolean_mask(x, [True, False, True], axis=1),
        tf.boolean_mask(x, [[True] * 4] * 3, axis=1),
        x[tf.constant([True, False])], tf.searchsorted([1, 3, 5], [2, 5], side="right"),
        tf.searchsorted([[1, 3, 5], [2, 4, 6]], [[2, 5], [2, 9]]), tf.searchsorted(q, q),
        tf.searchsorted([1.0, 3.0], [2.0, 0.0], out_type=tf.int64, name="ss"),
        tf.dynamic_stitch([k, [2]], [p, [[7.0, 8.0, 9.0]]]),
        tf.dynamic_stitch([[1], [0]], [["a"], ["b"]]),
        tf.dynamic_stitch([0, [1, 2]], [[1, 2], [[3, 4], [5, 6]]], name="ds"),
    ]  # fmt: skip
    lists = [
        tf.unique(k), tf.unique(["b", "a", "b"]),
        tf.unique([1.0, 2.0, 1.0], out_idx=tf.int64, name="u"),
        tf.unique_with_counts(["b", "a", "b"], tf.int64), tf.setdiff1d([1, 2, 3, 4], [1, 3]),
        tf.setdiff1d(k, [1], index_dtype=tf.int64, name="sd"), tf.dynamic_partition(p, k, 2),
        tf.dynamic_partition(i, [[0, 1, 0], [1, 1, 0]], 2), tf.dynamic_partition(5, 0, 2),
        tf.dynamic_partition(s, [0, 0], 1, name="dp"),
    ]  # fmt: skip
    values = tf.constant([[1.0], [2.0], [3.0]])
    slices = tf.IndexedSlices(values, tf.constant([0, 3, 4]), tf.constant([5, 1]))
    masked = tf.sparse_mask(slices, [3])
    lists.append([masked.values, masked.indices])
    feed = {p: [[1, 2, 3], [4, 5, 6]], q: [[1, 2, 3]], n: 2, k: [1, 0], b: [True, False]}
    facts = {"shapes": [str(t.shape) for t in made]}
    steps = [(f"{i} {t.name}", t, feed) for i, t in enumerate(made)]
    steps += [(f"list {i}", tuple(t), feed) for i, t in enumerate(lists)]
    return {"facts": facts, "steps": steps}
