"""embedding_lookup over partitions with both strategies, ranks of ids, max_norm, training."""


def build(tf):
    whole = tf.get_variable("whole", [6, 2])
    parts = tf.get_variable("parts", [6, 2], partitioner=tf.fixed_size_partitioner(3))
    resource = tf.get_variable("resource", [6, 2], use_resource=True)
    ids = tf.placeholder(tf.int64, name="ids")
    known = tf.constant([[5, 0], [1, 1]], name="known")
    lookup = tf.nn.embedding_lookup
    made = [
        lookup(whole, ids), lookup(whole, known), lookup(whole, 3), lookup(list(parts), ids),
        lookup(parts, ids, partition_strategy="div"), lookup(list(parts), known),
        lookup(resource, ids), lookup(whole, ids, max_norm=0.5),
        lookup(list(parts), known, max_norm=0.5), lookup(resource, known),
        lookup([[1.0, 2.0], [3.0, 4.0]], [1, 0]), lookup([whole], ids),
        lookup(whole, tf.constant([], tf.int32), name="empty"),
        lookup([tf.ones([2, 2]), tf.zeros([1, 2])], [0, 1, 2]),
    ]  # fmt: skip
    loss = tf.add_n([tf.reduce_sum(tf.square(t) + t) for t in made[:10]])
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    feed = {ids: [[0, 5], [3, 3], [2, 1]]}
    tables = [whole, list(parts), resource]
    steps = [("init", tf.global_variables_initializer()), ("tables", tables)]
    steps += [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]
    for _ in range(2):
        steps += [("train", train, feed), ("tables", tables), ("loss", loss, {ids: 4})]
    return {"facts": {"shapes": [str(t.shape) for t in made]}, "steps": steps}
