"""Optimizers with tensor and callable settings, on float64, float16, resources, unknown shapes."""


def build(tf):
    train = tf.train
    rate = tf.placeholder_with_default(0.1, [], name="rate")
    step = train.get_or_create_global_step()
    l1 = tf.constant(0.01, name="l1")

    def optimizers():
        return [
            train.GradientDescentOptimizer(lambda: rate),
            train.MomentumOptimizer(rate, tf.constant(0.9)),
            train.MomentumOptimizer(lambda: 0.1, lambda: 0.8, use_nesterov=True),
            train.AdagradOptimizer(lambda: 0.2),
            train.AdadeltaOptimizer(lambda: rate, lambda: 0.9, lambda: 1e-4),
            train.AdamOptimizer(rate, lambda: 0.8, lambda: 0.9, lambda: 1e-4, use_locking=True),
            train.AdamOptimizer(tf.train.exponential_decay(0.1, step, 2, 0.5), name="Decayed"),
            train.RMSPropOptimizer(lambda: rate, lambda: 0.8, lambda: 0.7, lambda: 1e-3, use_locking=True),
            train.RMSPropOptimizer(rate, centered=True, name="Centered"),
            train.FtrlOptimizer(rate, l2_regularization_strength=0.1, accum_name="a", linear_name="l"),
        ]  # fmt: skip

    x = tf.placeholder(tf.float32, [3], name="x")
    with tf.name_scope("scope"):
        loose = tf.Variable(tf.placeholder_with_default([1.0, 2.0], None), validate_shape=False)
    trained, states = [], []
    for n, optimizer in enumerate(optimizers()):
        with tf.variable_scope(f"model{n}"):
            v = tf.get_variable("v", [3], initializer=tf.ones_initializer())
            r = tf.get_variable("r", [3], initializer=tf.ones_initializer(), use_resource=True)
            d = tf.get_variable("d", [2], tf.float64, tf.ones_initializer())
            h = tf.get_variable("h", [2], tf.float16, tf.ones_initializer())
            s = tf.get_variable(
                "s", [], initializer=tf.constant_initializer(3.0), use_resource=True
            )
            loss = tf.reduce_sum(tf.square(v * x - 2.0 * r)) + s * s
            loss += tf.cast(tf.reduce_sum(d * d), tf.float32) + tf.cast(
                tf.reduce_sum(h * h), tf.float32
            )
        own = [v, r, d, h, s]
        if isinstance(optimizer, (train.GradientDescentOptimizer, train.AdamOptimizer)):
            loss += tf.reduce_sum(loose * loose)
            own.append(loose)
        trained.append(optimizer.minimize(loss, step, own))
        if n in (1, 5):  # the same optimizer twice: shared slots and powers
            trained.append(optimizer.minimize(tf.reduce_sum(v * v), None, [v], name="again"))
        slots = [optimizer.get_slot(w, k) for k in optimizer.get_slot_names() for w in own]
        states.append(own + slots + optimizer.variables())
    dual = train.AdagradDAOptimizer(rate, step, 0.2, 0.01, 0.02)
    pulled = train.ProximalAdagradOptimizer(rate, 0.2, l1, tf.constant(0.02))
    shrunk = train.ProximalGradientDescentOptimizer(rate, l1, 0.02)
    for n, optimizer in enumerate([dual, pulled, shrunk]):
        with tf.variable_scope(f"penalized{n}"):
            own = [
                tf.get_variable("v", [3], initializer=tf.ones_initializer()),
                tf.get_variable("r", [3], initializer=tf.ones_initializer(), use_resource=True),
            ]
            loss = tf.reduce_sum(tf.square(own[0] * x - 2.0 * own[1]))
            if optimizer is dual:
                own.append(tf.get_variable("d", [2], tf.float64, tf.ones_initializer()))
                loss += tf.cast(tf.reduce_sum(own[2] * own[2]), tf.float32)
        trained.append(optimizer.minimize(loss, step, own))
        names = optimizer.get_slot_names()
        states.append(own + [optimizer.get_slot(w, k) for k in names for w in own])
    facts = {
        "names": [[v.name for v in row] for row in states],
        "ops": [op.name for op in trained],
        "train ops": [op.name for op in tf.get_collection(tf.GraphKeys.TRAIN_OP)],
        "global": [v.name for v in tf.global_variables()],
    }
    fed = [state for row in states for state in row if not state.dtype.base_dtype == tf.float16]
    halves = [state for row in states for state in row if state.dtype.base_dtype == tf.float16]
    steps = [("init", tf.global_variables_initializer())]
    for feed in ({x: [1.0, 2.0, -1.0]}, {x: [0.5, 0.0, 3.0], rate: 0.3}):
        steps += [(op.name, op, feed) for op in trained] + [("state", fed)]
    steps += [("halves", lambda sess: [v.round(1).astype("f").tolist() for v in sess.run(halves)])]
    return {"facts": facts, "steps": steps}
