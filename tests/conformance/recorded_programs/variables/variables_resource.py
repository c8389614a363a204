"""Resource variables: reads, assignments, scatters, gathers, gradients, training, in a cond."""


def build(tf):
    with tf.variable_scope("r", use_resource=True):
        a = tf.get_variable("a", [3, 2], initializer=tf.random_uniform_initializer(seed=1))
        b = tf.get_variable("b", initializer=[1.0, 2.0])
        n = tf.get_variable("n", [], tf.int64, tf.zeros_initializer(), trainable=False)
    c = tf.Variable(3.0, use_resource=True, name="c")
    d = tf.Variable(c.initialized_value() + b.initialized_value()[0], use_resource=True, name="d")
    with tf.variable_scope("r", reuse=True, use_resource=True):
        same = tf.get_variable("a", [3, 2])
    with tf.variable_scope("cached", use_resource=True, caching_device="/cpu:0"):
        e = tf.get_variable("e", [2], initializer=tf.ones_initializer())
    gathered = tf.gather(a, [0, 2, 0])
    looked = tf.nn.embedding_lookup(a, [1, 1])
    product = tf.matmul(a, tf.reshape(b, [2, 1])) * c + d
    chosen = tf.cond(c > 0.0, lambda: c.assign_add(1.0).read_value(), lambda: c * 2.0)
    loss = tf.reduce_sum(tf.square(gathered)) + tf.reduce_sum(product) + tf.reduce_sum(looked * e)
    gradients = tf.gradients(loss, [a, b, c, d, e])
    step = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=n)
    ops = [
        b.assign([5.0, 6.0]), b.assign_add([1.0, 1.0]), b.assign_sub([0.5, 0.5]),
        b.assign([7.0, 8.0], read_value=False),
        a.scatter_update(tf.IndexedSlices([[9.0, 9.0]], [1])), tf.scatter_add(a, [0], [[1.0, 1.0]]),
        tf.scatter_update(a, [[2]], [[[4.0, 4.0]]]), tf.assign(b, [0.0, 1.0]), tf.assign_add(n, 5),
        b[0].assign(3.0), n.count_up_to(20), tf.is_variable_initialized(a), a.sparse_read([1]),
        b.initialized_value(), tf.identity(b), b + 1.0, b.read_value(), b.value(), -b, b[1], same,
    ]  # fmt: skip
    facts = {
        "reprs": [repr(v) for v in (a, b, n, c, d, e)],
        "handles": [v.handle.name + " " + v.op.type for v in (a, c)],
        "same": [same is a, same.handle is a.handle],
        "shapes": [str(t.shape) for t in (gathered, product, a, c.value())],
        "graph elements": [v.name for v in (a, c)] + [c.initializer.name, d.initial_value.name],
        "kinds": [type(g).__name__ for g in gradients],
    }
    steps = [("none", tf.report_uninitialized_variables())]
    steps += [("init", tf.global_variables_initializer()), ("all", [a, b, c, d, e, n])]
    steps += [("made", [gathered, looked, product]), ("gradients", [loss, gradients])]
    steps += [("chosen", chosen), ("c", c)]
    steps += [pair for k in range(3) for pair in [(f"step {k}", step), ("a", [a, b, c, d, e, n])]]
    steps += [(f"op {k}", op) for k, op in enumerate(ops)] + [("all", [a, b, c, d, e, n])]
    return {"facts": facts, "steps": steps}
