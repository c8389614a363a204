"""Optimizers with locks, gate_gradients, aggregation methods, named slots: graphs and steps."""


def build(tf):
    train = tf.train
    optimizers = lambda: [  # noqa: E731 - one for each variable: those of one would race for Adam's powers
        train.AdadeltaOptimizer(0.5, rho=0.9, epsilon=1e-4, use_locking=True),
        train.AdagradOptimizer(0.5, use_locking=True),
        train.FtrlOptimizer(0.5, use_locking=True, name="Other"),
        train.ProximalAdagradOptimizer(0.5, l1_regularization_strength=0.1, use_locking=True),
        train.ProximalGradientDescentOptimizer(
            0.5, l2_regularization_strength=0.1, use_locking=True
        ),
        train.GradientDescentOptimizer(0.5, use_locking=True),
        train.MomentumOptimizer(0.5, 0.9, use_locking=True, use_nesterov=True),
        train.AdamOptimizer(0.5, use_locking=True),
        train.RMSPropOptimizer(0.5, momentum=0.1, use_locking=True, centered=True),
    ]
    steps, watched = [], []
    for resource in (False, True):
        for number, optimizer in enumerate(optimizers()):
            name = f"v{number}{'r' if resource else ''}"
            v = tf.get_variable(
                name, initializer=[1.0, 2.0], use_resource=resource, dtype=tf.float32
            )
            picked = tf.gather(v, [1, 1])
            loss = tf.reduce_sum(v * v) if number % 2 else tf.reduce_sum(picked * 3.0)
            steps.append(optimizer.minimize(loss))
            watched.append(v)

    w = tf.get_variable("w", initializer=[[1.0, 2.0], [3.0, 4.0]])
    u = tf.get_variable("u", initializer=[[0.5, 0.5], [0.25, 1.0]])
    loss = tf.reduce_sum(tf.matmul(w, u) * w)
    kinds = tf.AggregationMethod
    for gate in (train.Optimizer.GATE_NONE, train.Optimizer.GATE_OP, train.Optimizer.GATE_GRAPH):
        for method in (kinds.ADD_N, kinds.EXPERIMENTAL_TREE, kinds.EXPERIMENTAL_ACCUMULATE_N):
            gradients = train.GradientDescentOptimizer(0.125).compute_gradients(
                loss,
                var_list=[w, u],
                gate_gradients=gate,
                aggregation_method=method,
                colocate_gradients_with_ops=gate == train.Optimizer.GATE_OP,
                grad_loss=tf.constant(2.0),
            )
            watched += [gradient for gradient, _ in gradients]
    minimized = train.GradientDescentOptimizer(0.125).minimize(
        loss,
        var_list=[w],
        gate_gradients=train.Optimizer.GATE_GRAPH,
        aggregation_method=kinds.EXPERIMENTAL_TREE,
        colocate_gradients_with_ops=True,
        grad_loss=tf.constant(3.0),
        name="down",
    )
    return {
        "steps": [
            ("start", tf.global_variables_initializer(), None),
            ("gradients", watched, None),
            ("once", steps, None),
            ("twice", steps, None),
            ("after", watched[: len(steps)], None),
            ("minimized", minimized, None),
            ("moved", [w, u], None),
        ]
    }
