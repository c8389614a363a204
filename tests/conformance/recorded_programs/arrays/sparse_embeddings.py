"""embedding_lookup_sparse and its safe form: combiners, weights, partitions, defaults, training."""

import warnings


def build(tf):
    table = tf.get_variable("table", [5, 2])
    parts = tf.get_variable("parts", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    resource = tf.get_variable("resource", [5, 2], use_resource=True)
    places = [[0, 0], [0, 1], [1, 0], [2, 0], [2, 2]]
    ids = tf.SparseTensor(places, tf.constant([1, 3, 0, 1, 4], tf.int64), [3, 3])
    weights = tf.SparseTensor(places, [1.0, 2.0, 0.5, 3.0, 1.0], [3, 3])
    gaps = tf.SparseTensor([[0, 0], [2, 1], [3, 0]], tf.constant([2, -1, 4], tf.int64), [4, 2])
    gap_weights = tf.SparseTensor([[0, 0], [2, 1], [3, 0]], [2.0, 1.0, 0.0], [4, 2])
    deep = tf.SparseTensor([[0, 1, 0], [1, 0, 1]], tf.constant([2, 3], tf.int64), [2, 2, 2])
    fed = tf.sparse_placeholder(tf.int64, name="fed")
    lookup, safe = tf.nn.embedding_lookup_sparse, tf.nn.safe_embedding_lookup_sparse
    made = [lookup(table, ids, None)]
    for combiner in ("sum", "mean", "sqrtn"):
        made += [
            lookup(table, ids, None, combiner=combiner),
            lookup(table, ids, weights, combiner=combiner, name=combiner),
            lookup(list(parts), ids, weights, combiner=combiner), safe(table, gaps, combiner=combiner),
            safe(resource, gaps, gap_weights, combiner=combiner),
        ]  # fmt: skip
    made += [
        lookup(parts, ids, None, "div", combiner="sum"), lookup(resource, ids, weights, combiner="mean"),
        lookup(table, ids, weights, combiner="sum", max_norm=0.5), safe(table, deep),
        safe(parts, gaps, default_id=1), safe([table], gaps, name="named"), safe(table, fed),
        lookup(table, fed, None, combiner="sum"), safe(table, gaps, gap_weights, default_id=3, name="d"),
        lookup(tf.cast(table, tf.float16), ids, weights, combiner="mean"),
    ]  # fmt: skip
    loss = tf.add_n([tf.reduce_sum(tf.square(tf.to_float(t)) + tf.to_float(t)) for t in made])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning that sparse gradients become dense
        train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
    feed = {fed: tf.SparseTensorValue([[0, 0], [1, 0], [1, 1]], [4, 0, 1], [2, 2])}
    tables = [table, list(parts), resource]
    steps = [("init", tf.global_variables_initializer())]
    steps += [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]
    for _ in range(2):
        steps += [("train", train, feed), ("tables", tables), ("loss", loss, feed)]
    return {"facts": {"shapes": [str(t.shape) for t in made]}, "steps": steps}
