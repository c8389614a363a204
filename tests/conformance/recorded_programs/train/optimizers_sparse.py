"""Every optimizer on IndexedSlices with repeated rows, ref and resource variables."""


def build(tf):
    train = tf.train

    def optimizers():
        return [
            train.GradientDescentOptimizer(0.1), train.MomentumOptimizer(0.1, 0.9),
            train.MomentumOptimizer(0.1, 0.9, use_nesterov=True), train.AdagradOptimizer(0.1),
            train.AdadeltaOptimizer(0.5), train.AdamOptimizer(0.1), train.RMSPropOptimizer(0.1),
            train.RMSPropOptimizer(0.1, momentum=0.5, centered=True),
            train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
            train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1),
            train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
            train.ProximalAdagradOptimizer(0.1, 0.2, 0.01, 0.02),
        ]  # fmt: skip

    ids = tf.placeholder(tf.int32, [None], name="ids")
    trained, tables = [], []
    for resource in (False, True):
        for n, optimizer in enumerate(optimizers()):
            with tf.variable_scope(f"model{n}_{resource}", use_resource=resource):
                table = tf.get_variable(
                    "table", [4, 2], initializer=tf.random_uniform_initializer()
                )
                loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids)))
            trained.append(optimizer.minimize(loss, var_list=[table]))
            slots = [optimizer.get_slot(table, k) for k in optimizer.get_slot_names()]
            tables.append([table] + slots)
    step = tf.train.get_or_create_global_step()
    for resource in (False, True):
        with tf.variable_scope(f"dual_{resource}", use_resource=resource):
            table = tf.get_variable("table", [4, 2], initializer=tf.random_uniform_initializer())
            loss = tf.reduce_sum(tf.square(tf.gather(table, ids)))
        dual = train.AdagradDAOptimizer(0.1, step, name=f"Dual{resource}")
        trained.append(dual.minimize(loss, var_list=[table]))
        tables.append([table] + dual.variables())
    steps = [("init", tf.global_variables_initializer())]
    for feed in ({ids: [0, 2, 0]}, {ids: [3, 3, 3]}):
        steps += [(op.name, op, feed) for op in trained] + [("state", list(tables))]
    return {"facts": {"names": [op.name for op in trained]}, "steps": steps}
