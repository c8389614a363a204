"""Resource variables, a partitioned embedding, momentum, a branch; saved as text."""

FEEDS = {"ids": [3, 0, 6, 3], "scale": 2.0}


def build(tf):
    ids = tf.placeholder(tf.int32, [None], name="ids")
    scale = tf.placeholder(tf.float32, [], name="scale")
    with tf.variable_scope("model", use_resource=True):
        bias = tf.get_variable("bias", [2])
        gain = tf.get_variable("gain", initializer=[1.0, -1.0])
    table = tf.get_variable("table", [7, 2], partitioner=tf.fixed_size_partitioner(3))
    rows = tf.nn.embedding_lookup(table, ids, partition_strategy="div") + bias
    out = tf.cond(scale > 1.0, lambda: rows * gain * scale, lambda: rows - gain, name="choice")
    loss = tf.reduce_sum(tf.square(out - 1.0), name="loss")
    train = tf.train.MomentumOptimizer(0.01, 0.9, use_nesterov=True).minimize(loss)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"rows": rows, "out": out},
        "as_text": True,
    }
