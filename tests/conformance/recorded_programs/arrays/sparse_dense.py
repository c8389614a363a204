"""Conversions between sparse and dense tensors: defaults, one-hot, indicators, merged ids."""


def build(tf):
    fed = tf.sparse_placeholder(tf.float32, [2, None], name="fed")
    unnamed = tf.sparse_placeholder(tf.float32)
    known = tf.SparseTensor([[0, 1], [2, 0]], [1.5, -2.0], [3, 4])
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 2]], [3, 1, 0], [2, 3])
    small = tf.SparseTensor([[0, 0], [0, 1], [1, 2]], tf.constant([2, 1, 0], tf.int32), [2, 3])
    weights = tf.SparseTensor([[0, 0], [0, 1], [1, 2]], [0.5, 1.0, 2.0], [2, 3])
    text = tf.SparseTensor([[0], [2]], ["a", "b"], [4])
    labels = tf.placeholder(tf.int32, [None], name="labels")
    rows = tf.expand_dims(tf.range(0, tf.size(labels)), 1)
    one_hot = tf.concat([rows, tf.expand_dims(labels, 1)], 1)
    x = tf.placeholder_with_default([[0.0, 1.0], [2.0, 0.0]], [2, 2])
    to_dense = tf.sparse_to_dense
    made = [
        to_dense(3, [5], 1.0), to_dense([1, 3], [5], [1, 2], name="vector"),
        to_dense([[0, 1], [1, 0]], [2, 2], 7), to_dense(labels, [6], 1.0, -1.0, False),
        to_dense(one_hot, tf.stack([tf.size(labels), 5]), 1.0, 0.0),
        to_dense([[0]], tf.constant([2], tf.int32), ["s"], default_value="none"),
        tf.sparse_tensor_to_dense(known), tf.sparse.to_dense(text, "-", name="text"),
        tf.sparse_tensor_to_dense(fed), tf.sparse.to_dense(unnamed, validate_indices=False),
        tf.sparse.to_dense(tf.sparse.from_dense(x)),
        tf.sparse.to_dense(tf.sparse.from_dense([[0, 3]], name="of_list")),
        tf.sparse_to_indicator(ids, 5), tf.sparse.to_indicator(small, 4, name="small"),
        tf.sparse.to_dense(tf.sparse_merge(ids, weights, 5)),
        tf.sparse.to_dense(tf.sparse_merge(small, weights, tf.constant(3), "merged", True), validate_indices=False),
        tf.sparse.to_dense(tf.sparse_merge([ids, small], weights, [4, 3])),
        tf.shape(known), tf.rank(known), tf.size(known), tf.cast(known, tf.int32).values,
    ]  # fmt: skip
    value = tf.SparseTensorValue([[0, 1], [1, 0]], [5.0, 6.0], [2, 3])
    feed = {labels: [1, 3, 4], fed: value, unnamed: value}
    facts = {"shapes": [str(t.shape) for t in made], "fed": str(fed.shape), "known": str(known)}
    return {"facts": facts, "steps": [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]}
