"""tf.contrib.layers: safe lookups of sparse ids, and lookups of each id once."""


def build(tf):
    layers = tf.contrib.layers
    table = tf.get_variable("table", [5, 2])
    resource = tf.get_variable("resource", [5, 2], use_resource=True)
    parts = tf.get_variable("parts", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    gaps = tf.SparseTensor([[0, 0], [2, 1], [3, 0]], tf.constant([2, -1, 4], tf.int64), [4, 2])
    weights = tf.SparseTensor([[0, 0], [2, 1], [3, 0]], [2.0, 1.0, 0.0], [4, 2])
    ids = tf.placeholder(tf.int64, [None, 2], name="ids")
    made = [
        layers.safe_embedding_lookup_sparse(table, gaps),
        layers.safe_embedding_lookup_sparse(resource, gaps, weights, "sqrtn", name="named"),
        layers.safe_embedding_lookup_sparse(parts, gaps, combiner="sum", default_id=1),
        layers.embedding_lookup_unique(table, ids),
        layers.embedding_lookup_unique(parts, [[1, 4, 1], [0, 1, 4]], "div", name="once"),
    ]
    grads = tf.gradients(made[0], table) + tf.gradients(made[3], table)
    steps = [("init", tf.global_variables_initializer())]
    steps += [(t.name, t, {ids: [[1, 1], [4, 1]]}) for t in made]
    steps += [("gradients", grads, {ids: [[1, 1], [4, 1]]})]
    return {"facts": {"shapes": [str(t.shape) for t in made]}, "steps": steps}
