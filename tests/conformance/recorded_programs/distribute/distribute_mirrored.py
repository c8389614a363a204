"""A model trained by MirroredStrategy on two CPUs: variable copies, slots, reductions, input, averages."""

REPLAYABLE = False  # requires two CPUs


def build(tf):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    rows = tf.reshape(tf.range(24, dtype=tf.float32), [8, 3]) / 24
    data = tf.data.Dataset.from_tensor_slices((rows, tf.range(8, dtype=tf.float32)[:, None]))
    iterator = strategy.make_dataset_iterator(data.repeat().batch(4))
    with strategy.scope():
        step = tf.train.get_or_create_global_step()
        table = tf.get_variable("table", [4, 1], initializer=tf.ones_initializer())

        def train(inputs):
            x, y = inputs
            w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
            b = tf.Variable([0.0], name="b")
            seen = tf.Variable(
                0.0,
                trainable=False,
                name="seen",
                synchronization=tf.VariableSynchronization.ON_READ,
                aggregation=tf.VariableAggregation.SUM,
            )
            rows = tf.nn.embedding_lookup(table, tf.cast(y[:, 0], tf.int32) % 4)
            error = tf.square(tf.matmul(x, w) + b + rows - y)
            loss = tf.losses.compute_weighted_loss(error)
            done = [
                tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step),
                seen.assign_add(tf.reduce_sum(y)),
            ]
            with tf.control_dependencies(done):
                return tf.identity(loss), error

        loss, errors = strategy.experimental_run(train, iterator)
        mean = strategy.reduce(tf.distribute.ReduceOp.MEAN, loss)
        error = strategy.reduce("mean", errors, axis=0)
        seen = [v for v in tf.global_variables() if v.name == "seen:0"][0]
        assign = table.assign_add(tf.ones([4, 1]))
        saver = tf.train.Saver()
        start = [tf.global_variables_initializer(), iterator.initialize()]
        found = seen.read_value()
    facts = {
        "variables": [v.name for v in tf.global_variables()],
        "trainable": [v.name for v in tf.trainable_variables()],
        "devices": [strategy.extended.worker_devices, loss.devices],
        "saver": saver.as_saver_def().restore_op_name,
    }
    steps = [
        ("start", start),
        *((f"step {n}", [mean, error, *strategy.unwrap(loss)]) for n in range(3)),
        ("seen", [found, step, table]),
        ("assign", assign.values),
    ]
    return {"facts": facts, "steps": steps, "config": tf.ConfigProto(device_count={"CPU": 2})}
