"""compute_gradients, apply_gradients and minimize with every argument; constraints; a subclass."""


def build(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.variable_scope("model"):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        c = tf.get_variable(
            "c",
            [2],
            initializer=tf.ones_initializer(),
            constraint=lambda v: tf.clip_by_value(v, 0.0, 1.0),
        )
        unused = tf.get_variable("unused", [2], initializer=tf.ones_initializer())
        r = tf.get_variable(
            "r", [2], initializer=tf.ones_initializer(), use_resource=True, constraint=tf.nn.relu
        )
    loss = tf.reduce_sum(tf.square(w * x + 2.0 * c + r * x - 3.0), name="loss")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.placeholder_with_default(0.05, [], name="rate")
    gates = (
        tf.train.Optimizer.GATE_NONE,
        tf.train.Optimizer.GATE_OP,
        tf.train.Optimizer.GATE_GRAPH,
    )
    trained = []
    for n, gate in enumerate(gates):
        optimizer = tf.train.GradientDescentOptimizer(rate, name=f"Descent{n}")
        pairs = optimizer.compute_gradients(loss, gate_gradients=gate)
        trained.append(optimizer.apply_gradients(pairs, name=f"train{n}"))
    momentum = tf.train.MomentumOptimizer(lambda: 0.01, lambda: 0.5)
    pairs = momentum.compute_gradients(
        loss,
        [w, c],
        aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE,
        colocate_gradients_with_ops=True,
        grad_loss=tf.constant(2.0),
    )
    clipped = [(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in pairs if g is not None]
    trained.append(momentum.apply_gradients(clipped, global_step=step))
    adam = tf.train.AdamOptimizer(rate)
    trained.append(adam.minimize(loss, step, [w, c, r], name="adam_step"))
    with tf.name_scope("tower"), tf.device("/cpu:0"):
        trained.append(tf.train.AdamOptimizer(0.01).minimize(loss, var_list=[w, r]))
    with tf.control_dependencies([tf.assert_positive(rate)]):
        trained.append(tf.train.RMSPropOptimizer(0.01).minimize(-loss, var_list=[w]))

    class Signed(tf.train.Optimizer):
        """A subclass as programs write them: slots, dense and sparse updates."""

        def __init__(self):
            super().__init__(False, "Signed")

        def _create_slots(self, var_list):
            for v in var_list:
                self._zeros_slot(v, "seen", self._name)

        def _apply_dense(self, grad, var):
            seen = self.get_slot(var, "seen")
            return tf.group(
                tf.assign_add(seen, tf.abs(grad)), tf.assign_sub(var, 0.1 * tf.sign(grad))
            )

        def _resource_apply_dense(self, grad, var):
            return var.assign_sub(0.1 * tf.sign(grad))

        def _apply_sparse(self, grad, var):
            return tf.scatter_sub(var, grad.indices, 0.1 * tf.sign(grad.values))

    signed = Signed()
    table_loss = tf.reduce_sum(tf.gather(w, [1])) + loss
    trained.append(signed.minimize(table_loss, var_list=[c, r]))
    facts = {
        "pairs": [[None if g is None else g.name, v.name] for g, v in pairs],
        "names": [op.name for op in trained],
        "slots": [signed.get_slot_names(), momentum.get_slot_names(), adam.get_name()],
        "variables": [v.name for v in tf.global_variables()],
        "betas": [v.name for v in adam._get_beta_accumulators()],
    }
    feed = {x: [1.0, -2.0]}
    steps = [("init", tf.global_variables_initializer()), ("loss", loss, feed)]
    for n, op in enumerate(trained):
        steps += [(f"train {n}", op, feed), ("variables", [w, c, r, unused, step])]
    steps += [("rate", trained[0], {x: [1.0, 1.0], rate: 0.5}), ("variables", [w, c, r])]
    return {"facts": facts, "steps": steps}
