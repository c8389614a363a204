"""IndexedSlices end to end: gathers, lookups, sums of slices, dense and sparse mixed, clipping."""


def build(tf):
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], name="table")
    other = tf.Variable(tf.ones([4, 2]), name="other")
    ids = tf.placeholder(tf.int32, [None], name="ids")
    wide = tf.constant([[0, 1], [1, 3]], tf.int64, name="wide")
    a = tf.gather(table, ids)
    b = tf.nn.embedding_lookup(table, wide)
    c = tf.gather(table, [0])
    single = tf.gradients(tf.reduce_sum(a * a), table)[0]
    double = tf.gradients(tf.reduce_sum(a * a) + tf.reduce_sum(b), table)[0]
    mixed = tf.gradients(tf.reduce_sum(a) + tf.reduce_sum(table * other), [table, other])
    axis = tf.gradients(tf.gather(table, [1], axis=1), table)[0]
    through = tf.gradients(tf.gather(tf.identity(table) * 2.0, ids), table)[0]
    reshaped = tf.gradients(tf.gather(tf.reshape(table, [2, 4]), [1]), table)[0]
    partitioned = tf.nn.embedding_lookup([table, other], ids)
    div = tf.nn.embedding_lookup([table, other], ids, partition_strategy="div")
    normed = tf.nn.embedding_lookup(table, ids, max_norm=2.5)
    parts = tf.gradients(tf.square(partitioned) + tf.square(div), [table, other])
    norm_gradient = tf.gradients(normed, table)[0]
    dense = tf.convert_to_tensor(double)
    negated = tf.negative(single)
    clipped, norm = tf.clip_by_global_norm([single, mixed[0], None], 1.0)
    by_norm = tf.clip_by_norm(single, 1.0)
    by_value = tf.clip_by_value(single, -3.0, 3.0)
    averaged = tf.clip_by_average_norm(mixed[0], 0.1)
    made = tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([2]), tf.constant([4, 2]))
    scaled = [tf.global_norm([made, single]), tf.convert_to_tensor(made)]
    order = tf.gradients([a, b, c], table, aggregation_method=tf.AggregationMethod.ADD_N)[0]
    feed = {ids: [3, 0, 3]}
    slices = [single, double, order, through, norm_gradient, parts, reshaped, axis]
    facts = {
        "kinds": [type(g).__name__ for g in slices + mixed + clipped + [negated, by_norm]],
        "made": [str(made), made.name, str(made.dtype), str(made.dense_shape), made.op.name],
        "single": [single.values.name, single.indices.name, single.dense_shape.name],
    }
    steps = [
        ("init", tf.global_variables_initializer()),
        ("values", [a, b, partitioned, div, normed], feed),
        ("slices", slices, feed),
        ("mixed", mixed, feed),
        ("dense", [dense, negated, scaled], feed),
        ("clipped", [clipped[:2], norm, by_norm, averaged, by_value], feed),
        ("fed slices", tf.add_n([tf.reduce_sum(made.values)]), {made: ([[5.0, 6.0]], [1])}),
    ]
    return {"facts": facts, "steps": steps}
