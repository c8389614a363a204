"""OneDeviceStrategy: variables with slots, an input function, averages of a batch norm, loops of steps."""


def build(tf):
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    iterator = strategy.make_input_fn_iterator(
        lambda context: tf.data.Dataset.range(100).map(lambda n: tf.cast(n, tf.float32)).batch(4)
    )
    with strategy.scope():
        step = tf.train.get_or_create_global_step()
        w = tf.get_variable("w", [1], initializer=tf.ones_initializer())
        average = tf.Variable([0.0], trainable=False, name="average")
        moved = strategy.extended.call_for_each_replica(
            lambda: tf.train.ExponentialMovingAverage(0.5).apply([w])
        )

        def train(x):
            normal = tf.layers.batch_normalization(x[:, None], training=True)
            loss = tf.reduce_mean(tf.square(normal * w - 1.0))
            done = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, global_step=step)
            with tf.control_dependencies([done, *tf.get_collection(tf.GraphKeys.UPDATE_OPS)]):
                return tf.identity(loss)

        loss = strategy.experimental_run(train, iterator)
        reduced = strategy.reduce(tf.distribute.ReduceOp.SUM, loss)
        updated = strategy.extended.update(average, lambda v, x: v.assign(x), args=(w * 2.0,))
    facts = {
        "variables": [(v.name, v.device) for v in tf.global_variables()],
        "replicas": strategy.num_replicas_in_sync,
        "parameters": strategy.extended.parameter_devices,
    }
    steps = [
        ("start", [tf.global_variables_initializer(), iterator.initialize()]),
        *((f"step {n}", reduced) for n in range(3)),
        ("moved", moved),
        ("updated", [updated, step, w]),
    ]
    return {"facts": facts, "steps": steps}
