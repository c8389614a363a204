"""Sparse tensors stored under handles: inconsistent components, unknown handles."""


def given(tf, value, dtype=None):
    return tf.placeholder_with_default(tf.constant(value, dtype), None)


def add(tf, places, values, shape, name="AddSparseToTensorsMap", **attrs):
    attrs["sparse_indices"] = given(tf, places, tf.int64)
    attrs["sparse_values"] = given(tf, values)
    attrs["sparse_shape"] = given(tf, shape, tf.int64)
    return getattr(tf.raw_ops, name)(**attrs)


def add_many(tf, *parts):
    return add(tf, *parts, name="AddManySparseToTensorsMap")


def take(tf, numbers, dtype, *parts):
    """Takes handles out of a map of sparse tensors."""
    adds = [add(tf, *part, shared_name="map") for part in parts]
    attrs = {"dtype": dtype, "shared_name": "map"}
    attrs["sparse_handles"] = given(tf, numbers, tf.int64)
    made = tf.raw_ops.TakeManySparseFromTensorsMap(**attrs)

    def run(sess):
        for each in adds:
            sess.run(each)
        sess.run(made)

    return run


MATRIX = ([[0, 0], [1, 2]], [1.0, 2.0], [3, 4])


def sparse_beside_dense(tf):
    row = tf.SparseTensor([[0]], [1.0], [10])
    tf.train.batch_join([[row], [1]], 2)
