"""map_fn, scan and foldl with weights inside, trained."""

FEEDS = {"x": [[1.0, 2.0, 3.0], [0.5, -1.0, 0.0], [2.0, 0.0, -2.0], [1.0, 1.0, 1.0]]}


def build(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.get_variable("w", [3, 2])
    decay = tf.get_variable("decay", initializer=0.5)
    mapped = tf.map_fn(lambda row: tf.tanh(tf.tensordot(row, w, 1)), x)
    pairs = tf.map_fn(
        lambda both: (both[0] * decay, tf.reduce_sum(both[1])),
        (mapped, x),
        (tf.float32, tf.float32),
    )
    along = tf.scan(lambda total, row: total * decay + row, mapped, parallel_iterations=2)
    folded = tf.foldl(lambda total, row: total + row * decay, along)
    loss = tf.reduce_sum(tf.square(folded - 1.0)) + tf.reduce_mean(pairs[0])
    loss = tf.identity(loss, name="loss")
    train = tf.train.RMSPropOptimizer(0.02).minimize(loss)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"mapped": mapped, "sums": pairs[1], "along": along, "folded": folded},
    }
