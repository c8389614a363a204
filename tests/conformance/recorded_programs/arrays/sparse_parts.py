"""Sparse tensors sorted, reshaped, transposed, cut, joined, filled; with static shapes and without."""


def build(tf):
    known = tf.SparseTensor([[0, 1], [0, 3], [2, 0]], [1.0, 2.0, 3.0], [3, 4])
    mixed = tf.SparseTensor([[2, 0], [0, 3], [0, 1]], ["c", "b", "a"], [3, 4])
    fed = tf.sparse_placeholder(tf.float32, name="fed")
    ranked = tf.sparse_placeholder(tf.float32, [None, 4], name="ranked")
    n = tf.placeholder_with_default(2, [])
    made = []
    for x in (known, ranked):
        made += [
            tf.sparse_reorder(x), tf.sparse_reshape(x, [2, -1]), tf.sparse.reshape(x, [n, 6]),
            tf.sparse_transpose(x), tf.sparse.transpose(x, [1, 0], name="named"),
            tf.sparse.expand_dims(x), tf.sparse.expand_dims(x, 0), tf.sparse_slice(x, [0, 1], [2, 9]),
            *tf.sparse_split(sp_input=x, num_split=3, axis=1), tf.sparse_concat(0, [x, known]),
            tf.sparse_concat(-1, [x, x, known], name="wide"),
            tf.sparse_concat(1, [x, x], expand_nonconcat_dim=True),
            tf.sparse_concat(0, [x]), tf.sparse_retain(x, [True, False, True]),
            tf.sparse_reset_shape(x), tf.sparse_reset_shape(x, [5, 5]),
            tf.sparse.fill_empty_rows(x, -1.0)[0],
        ]  # fmt: skip
    made += [
        tf.sparse_reorder(fed), tf.sparse_reshape(fed, [12]), tf.sparse_transpose(fed, [1, 0]),
        tf.sparse_fill_empty_rows(fed, 7.0, name="filled")[0], tf.sparse_concat(1, [fed, fed]),
        tf.sparse_reset_shape(fed), tf.sparse_reorder(mixed), tf.sparse.eye(2), tf.sparse.eye(n, 3, tf.int32),
        tf.sparse_concat(-1, [known, tf.sparse_slice(known, [0, 0], [3, 2])], expand_nonconcat_dim=True),
    ]  # fmt: skip
    empty = tf.sparse_fill_empty_rows(fed, 7.0)[1]
    value = tf.SparseTensorValue([[0, 1], [0, 2], [2, 0]], [1.0, 2.0, 3.0], [3, 4])
    feed = {fed: value, ranked: value}
    steps = [(str(i), [t.indices, t.values, t.dense_shape], feed) for i, t in enumerate(made)]
    facts = {"shapes": [str(t.shape) for t in made], "values": [str(t.values.shape) for t in made]}
    return {"facts": facts, "steps": [*steps, ("empty", empty, feed)]}
