"""Crosses of features as strings and as hashes."""


def build(tf):
    a = tf.SparseTensor([[0, 0], [1, 0], [1, 1], [3, 0]], ["a", "b", "c", "d" * 40], [4, 2])
    b = tf.SparseTensor([[0, 0], [1, 0], [1, 1], [3, 1]], [7, -8, 9, 2**40], [4, 3])
    small = tf.SparseTensor([[0, 0], [2, 0]], tf.constant([3, 4], tf.int32), [4, 1])
    dense = tf.constant([["u", "v"], ["w", ""], ["x", "y"], ["z", "z"]])
    numbers = tf.placeholder(tf.int64, [None, 1], name="numbers")
    made = [
        tf.sparse.cross([a, dense]), tf.sparse.cross([dense, b, a], name="named"), tf.sparse.cross([a]),
        tf.sparse.cross([numbers, small]), tf.sparse.cross_hashed([a, dense]),
        tf.sparse.cross_hashed([a, b, numbers], num_buckets=100, name="buckets"),
        tf.sparse.cross_hashed([dense, a], hash_key=12345), tf.sparse.cross_hashed([small, b], 10),
    ]  # fmt: skip
    feed = {numbers: [[1], [-2], [3], [4]]}
    steps = [(str(i), [x.indices, x.values, x.dense_shape], feed) for i, x in enumerate(made)]
    return {"facts": {"shapes": [str(x.shape) for x in made]}, "steps": steps}
