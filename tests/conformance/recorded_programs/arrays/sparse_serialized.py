"""Sparse tensors as strings and back, byte for byte; edit distances."""


def build(tf):
    places = [[0, 1], [0, 3], [2, 0]]
    tensors = [
        tf.SparseTensor(places, [1.0, 2.0, 4.0], [3, 4]), tf.SparseTensor(places, [1, 2, 3], [3, 4]),
        tf.SparseTensor(places, ["a", "", "c" * 200], [3, 4]),
        tf.SparseTensor(places, [True, False, True], [3, 4]),
        tf.SparseTensor(places, tf.constant([1j, 2, 3], tf.complex64), [3, 4]),
    ]  # fmt: skip
    steps, facts = [], []
    for n, x in enumerate(tensors):
        one, many = tf.serialize_sparse(x), tf.io.serialize_many_sparse(x, name="many")
        back = tf.deserialize_many_sparse(tf.stack([one, one]), x.dtype)
        rows = tf.io.deserialize_many_sparse(many, x.dtype, rank=2, name="rows")
        steps += [(f"{n} bytes", [one, many])]
        steps += [
            (f"{n} back", [t for y in (back, rows) for t in (y.indices, y.values, y.dense_shape)])
        ]
        facts += [str(t.shape) for t in (one, many, back.indices, rows.indices, rows.dense_shape)]
    word = tf.SparseTensor([[0, 0], [0, 1], [0, 2], [1, 0]], ["c", "a", "t", "x"], [2, 3])
    truth = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [1, 1]], ["c", "t", "x", "y"], [2, 4])
    fed = tf.sparse_placeholder(tf.int32)
    known = tf.SparseTensor([[0, 0, 0], [1, 0, 0]], [1, 2], [2, 1, 1])
    distances = [
        tf.edit_distance(word, truth), tf.edit_distance(word, truth, normalize=False, name="plain"),
        tf.edit_distance(fed, known), tf.edit_distance(known, fed, False), tf.edit_distance(known, known),
    ]  # fmt: skip
    facts += [str(t.shape) for t in distances]
    feed = {fed: tf.SparseTensorValue([[0, 0, 0], [0, 0, 1]], [1, 3], [2, 1, 2])}
    steps += [(t.name, t, feed) for t in distances]
    return {"facts": {"shapes": facts}, "steps": steps}
