"""Static shapes: TensorShape and Dimension, set_shape, inferred shapes."""


def build(tf):
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    q = tf.placeholder(tf.float32, name="q")
    r = tf.placeholder(tf.float32, [2, None, 4], name="r")
    rows = tf.shape(p)[0]
    known = tf.reshape(q, [rows, -1, 3])
    stacked = tf.reshape(q, tf.stack([rows, 6]))
    joined = tf.zeros(tf.concat([tf.shape(p), [5]], 0))
    sliced = tf.ones(tf.shape(r)[::2])
    product = tf.reshape(q, [-1, tf.reduce_prod(tf.shape(p)[1:])])
    filled = tf.fill(tf.stack([2, rows]), 1.0)
    casted = tf.zeros(tf.cast(tf.constant([2, 3], tf.int64), tf.int32))
    tiled = tf.tile(p, [2, 1])
    ranged = tf.range(tf.size(p))
    merged = tf.placeholder(tf.float32, name="merged")
    merged.set_shape([None, 4])
    merged.set_shape([2, None])
    shape = tf.TensorShape
    a, b, c = shape([1, None, 3]), shape(None), shape([1, 2, 3])
    d = tf.Dimension
    computed = [known, stacked, joined, sliced, product, filled, casted, tiled, ranged, merged]
    computed += [
        p + r[0, :, :3],
        tf.matmul(p, tf.ones([3, 2])),
        tf.concat([p, p], 0),
        p[1:],
        r[0, 0],
    ]
    computed += [tf.split(r, 2, 2)[0], tf.unstack(r)[0], tf.expand_dims(q, 0), tf.squeeze(r[:1])]
    computed += [tf.reduce_sum(q, 1), tf.reduce_sum(r, [0, 2]), tf.reduce_sum(r, 1, keepdims=True)]
    computed += [
        tf.gather(r, [0]),
        tf.transpose(q),
        tf.transpose(r),
        tf.one_hot([1], rows),
        q[0],
        q[..., 0],
    ]
    facts = {
        "computed": [str(t.shape) for t in computed],
        "ranks": [t.shape.ndims for t in computed],
        "strings": [str(x) for x in (a, b, c, shape([]), shape(3), shape([None]))],
        "reprs": [repr(x) for x in (a, b, c, d(3), d(None))],
        "methods": [
            str(a.merge_with(c)),
            str(a.concatenate(c)),
            a.is_compatible_with(c),
            c.is_fully_defined(),
            a.is_fully_defined(),
            str(a.with_rank(3)),
            str(b.with_rank(2)),
            c.num_elements(),
            a.num_elements(),
            c.as_list(),
            a.as_list(),
            str(a[1]),
            str(a[0:2]),
            len(c),
            bool(b),
            bool(a),
            str(a.most_specific_compatible_shape(c)),
            [str(k) for k in c],
            a == c,
            c == [1, 2, 3],
            str(a.with_rank_at_least(2)),
            str(b[1]),
            c.dims[2].value,
            str(c.as_proto()),
            a.rank,
            str(tf.broadcast_static_shape(shape([2, 1]), shape([1, 3]))),
            c != a,
        ],
        "dimensions": [
            str(d(3) + d(4)),
            str(d(3) * None),
            str(d(7) // 2),
            str(d(None) + 1),
            d(3) == 3,
            d(None) == 3,
            str(d(7) % 4),
            d(2) < d(3),
            str(d(3).merge_with(None)),
            int(d(5)),
            str(5 - d(2)),
            d(3).is_compatible_with(None),
            str(d(6) - 1),
            d(4).value,
        ],
        "constant value": [
            str(tf.contrib.util.constant_value(tf.constant([1, 2]) * 1)),
            str(tf.contrib.util.constant_value(tf.constant([1, 2]))),
            str(tf.contrib.util.constant_value(tf.shape(tf.zeros([2, 3])))),
            str(tf.contrib.util.constant_value(tf.fill([2], 3))),
        ],
    }
    return {"facts": facts, "steps": [("known", [casted, tf.shape(casted)])]}
