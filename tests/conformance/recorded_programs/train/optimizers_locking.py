"""Every optimizer with `use_locking`, on dense and sparse gradients of ref and resource variables."""


def build(tf):
    train = tf.train
    step = train.get_or_create_global_step()
    ids = tf.placeholder(tf.int32, [None], name="ids")
    made = [
        train.GradientDescentOptimizer(0.1, use_locking=True),
        train.MomentumOptimizer(0.1, 0.9, use_locking=True, use_nesterov=True),
        train.AdagradOptimizer(0.1, use_locking=True),
        train.AdadeltaOptimizer(0.5, use_locking=True),
        train.AdamOptimizer(0.1, use_locking=True),
        train.RMSPropOptimizer(0.1, momentum=0.5, use_locking=True),
        train.RMSPropOptimizer(0.1, centered=True, use_locking=True, name="Centered"),
        train.FtrlOptimizer(0.1, use_locking=True),
        train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1, use_locking=True),
        train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02, use_locking=True),
        train.ProximalAdagradOptimizer(0.1, 0.2, 0.01, 0.02, use_locking=True),
        train.AdagradDAOptimizer(0.1, step, use_locking=True),
    ]
    trained, tables = [], []
    for n, optimizer in enumerate(made):
        own, loss = [], 0.0
        for resource in (False, True):
            with tf.variable_scope(f"model{n}_{resource}", use_resource=resource):
                table = tf.get_variable("table", [4, 2], initializer=tf.ones_initializer())
                dense = tf.get_variable("dense", [2], initializer=tf.ones_initializer())
                loss += tf.reduce_sum(tf.square(tf.gather(table, ids)) * dense)
            own += [table, dense]
        trained.append(optimizer.minimize(loss, var_list=own))
        tables.append(own)
    steps = [("init", tf.global_variables_initializer())]
    steps += [(op.name, op, {ids: [0, 2, 0]}) for op in trained]
    return {"facts": {}, "steps": [*steps, ("state", tables)]}
