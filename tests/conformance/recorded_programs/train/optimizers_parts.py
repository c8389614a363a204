"""Optimizers on partitioned variables, shared tables, several losses and devices."""


def build(tf):
    train = tf.train
    ids = tf.placeholder(tf.int64, [None], name="ids")
    cut = tf.fixed_size_partitioner(2)
    trained, states = [], []
    for n, optimizer in enumerate([
        train.AdamOptimizer(0.1), train.MomentumOptimizer(0.1, 0.9), train.AdagradOptimizer(0.1),
        train.RMSPropOptimizer(0.1), train.FtrlOptimizer(0.1), train.GradientDescentOptimizer(0.1),
    ]):  # fmt: skip
        for resource in (False, True):
            with tf.variable_scope(f"model{n}_{resource}", partitioner=cut, use_resource=resource):
                table = tf.get_variable(
                    "table", [5, 2], initializer=tf.random_uniform_initializer()
                )
                w = tf.get_variable("w", [2, 3], initializer=tf.random_uniform_initializer())
            rows = tf.nn.embedding_lookup(table, ids)
            loss = tf.reduce_sum(tf.square(tf.matmul(rows, w)))
            trained.append(optimizer.minimize(loss, var_list=list(table) + list(w)))
            pieces = list(table) + list(w)
            states.append(
                pieces
                + [optimizer.get_slot(p, k) for k in optimizer.get_slot_names() for p in pieces]
            )
    with tf.variable_scope("shared", reuse=tf.AUTO_REUSE):
        shared = [tf.get_variable("v", [2], initializer=tf.ones_initializer()) for _ in range(2)][0]
    with tf.device("/cpu:0"):
        placed = tf.Variable([1.0, 2.0], name="placed")
    both = train.AdamOptimizer(0.1, name="Both")
    first = both.compute_gradients(tf.reduce_sum(shared * placed), [shared, placed])
    second = both.compute_gradients(tf.reduce_sum(shared * 3.0), {"nested": [shared, (placed,)]})
    mean = []
    for (g, v), (h, _) in zip(first, second):
        mean.append(((g if h is None else (g + h) / 2.0), v))
    trained.append(both.apply_gradients(mean, name="averaged"))
    trained.append(both.apply_gradients([(tf.ones([2]), shared), (None, placed)]))
    trained.append(
        train.AdamOptimizer(0.1).apply_gradients(
            [(tf.IndexedSlices(tf.constant([2.0]), tf.constant([1])), shared)], name="given"
        )
    )
    trained.append(train.MomentumOptimizer(0.1, 0.9).apply_gradients([([1.0, 2.0], shared)]))
    states.append([shared, placed] + both.variables())
    facts = {
        "second": [[None if g is None else g.name, v.name] for g, v in second],
        "names": [[v.name for v in row] for row in states],
        "slices": [
            [[v._save_slice_info.full_name, v._save_slice_info.spec] for v in row]
            for row in states[:4]
        ],
        "ops": [op.name for op in trained],
    }
    steps = [("init", tf.global_variables_initializer())]
    for feed in ({ids: [0, 4, 0]}, {ids: [3, 2, 3, 3]}):
        steps += [(op.name, op, feed) for op in trained] + [("state", states)]
    return {"facts": facts, "steps": steps}
