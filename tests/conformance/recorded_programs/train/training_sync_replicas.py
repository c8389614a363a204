"""Aggregated replica gradients: the nodes of SyncReplicasOptimizer, and its steps without its thread."""


def build(tf):
    step = tf.train.get_or_create_global_step()
    dense = tf.get_variable("dense", [2], initializer=tf.ones_initializer())
    rows = tf.get_variable("rows", [3, 2], initializer=tf.ones_initializer())
    unused = tf.get_variable("unused", [2])
    x = tf.placeholder(tf.float32, [2], name="x")
    picked = tf.nn.embedding_lookup(rows, [0, 2])
    loss = tf.reduce_sum(dense * x) + tf.reduce_sum(picked * x)
    averages = tf.train.ExponentialMovingAverage(0.5, step)
    optimizer = tf.train.SyncReplicasOptimizer(
        tf.train.MomentumOptimizer(0.1, 0.9),
        replicas_to_aggregate=2,
        total_num_replicas=3,
        variable_averages=averages,
        variables_to_average=[dense],
    )
    pairs = optimizer.compute_gradients(loss, [dense, rows, unused])
    train = optimizer.apply_gradients(pairs, global_step=step)
    tokens = optimizer.get_init_tokens_op()
    few = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 1, name="few")
    few.minimize(loss, global_step=step, var_list=[dense])
    none = few.get_init_tokens_op(0)
    runner = optimizer.get_chief_queue_runner()
    names = [n.name for n in tf.get_default_graph().get_operations() if "apply_grad" in n.name]
    hand_in = [
        op
        for op in tf.get_default_graph().get_operations()
        if op.type in ("ResourceAccumulatorApplyGradient", "SparseAccumulatorApplyGradient")
        and op.name.startswith("sync_replicas")
    ]
    return {
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("local", tf.local_variables_initializer()),
            ("chief", optimizer.chief_init_op),
            ("tokens", [tokens, none]),
            ("one", hand_in, {x: [1.0, 2.0]}),
            ("two", hand_in, {x: [3.0, 2.0]}),
            ("apply", runner.enqueue_ops[0]),
            ("values", [step, dense, rows]),
            ("train", train, {x: [1.0, 1.0]}),
            ("ready", optimizer.ready_for_local_init_op),
        ],
        "facts": {
            "runner": [runner.name, runner.close_op.name, runner.cancel_op.name],
            "slots": optimizer.get_slot_names(),
            "variables": [v.name for v in optimizer.variables()],
            "local": [v.name for v in tf.local_variables()],
            "names": names,
        },
    }
