"""Comparison and logic, where, select, any and all, with NaN and broadcasting."""


def build(tf):
    x = tf.constant([[1.0, float("nan"), 3.0], [0.0, -0.0, float("inf")]], name="x")
    y = tf.constant([1.0, 2.0, 3.0], name="y")
    i = tf.constant([1, 2, 3], tf.int64)
    s = tf.constant(["a", "b", "c"])
    c = tf.constant([1j, 2.0, 3.0])
    p = tf.constant([True, False, True])
    q = tf.constant([[True], [False]])
    cond = tf.constant([[True, False, True], [False, True, False]])
    made = [
        tf.equal(x, y), tf.not_equal(x, y), tf.less(x, y), tf.less_equal(x, y),
        tf.greater(x, y), tf.greater_equal(x, y), tf.equal(i, [1, 5, 3]), tf.less(i, 2),
        tf.equal(s, "b"), tf.not_equal(s, ["a", "x", "c"]), tf.equal(c, 2.0),
        tf.equal(p, True), tf.logical_and(p, q), tf.logical_or(p, q), tf.logical_xor(p, q),
        tf.logical_not(p), tf.where(cond), tf.where(p), tf.where(x), tf.where(cond, x, -x),
        tf.where([True, False], x, x * 2.0), tf.where(True, y, -y), tf.where(i > 1, s, s),
        tf.where_v2(p, y, 0.0), tf.where_v2(q, y, -y), tf.count_nonzero(x),
        tf.count_nonzero(cond, axis=1), tf.count_nonzero(x, axis=0, keepdims=True, dtype=tf.int32),
        tf.reduce_all(cond), tf.reduce_any(cond, axis=0), tf.reduce_all(cond, 1, keepdims=True),
        tf.boolean_mask(y, p), tf.boolean_mask(x, [True, False]), tf.boolean_mask(x, cond),
        tf.boolean_mask(x, p, axis=1), tf.equal(tf.constant([], tf.float32), []),
        tf.math.is_nan(x), tf.math.equal(y, 2),
    ]  # fmt: skip
    made += list(tf.unique([4, 5, 4, 7])) + list(tf.unique(s, out_idx=tf.int64))
    fed = tf.placeholder(tf.bool, [None])
    made += [tf.boolean_mask(y, fed)]
    feed = {fed: [False, True, True]}
    return {"steps": [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]}
