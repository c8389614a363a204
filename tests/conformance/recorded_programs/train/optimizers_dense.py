"""Every optimizer on dense gradients for three steps: slots, names, global step, all arguments."""


def build(tf):
    train = tf.train
    made = [
        train.GradientDescentOptimizer(0.1), train.GradientDescentOptimizer(0.1, use_locking=True),
        train.MomentumOptimizer(0.1, 0.9), train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        train.AdagradOptimizer(0.1), train.AdagradOptimizer(0.1, initial_accumulator_value=0.5),
        train.AdadeltaOptimizer(0.5), train.AdadeltaOptimizer(0.5, rho=0.8, epsilon=1e-3),
        train.AdamOptimizer(0.1), train.AdamOptimizer(0.1, 0.8, 0.9, 1e-4, name="OtherAdam"),
        train.RMSPropOptimizer(0.1), train.RMSPropOptimizer(0.1, 0.8, 0.5, 1e-3, centered=True),
        train.FtrlOptimizer(0.1),
        train.FtrlOptimizer(
            0.1, -0.4, 0.2, 0.01, 0.02, l2_shrinkage_regularization_strength=0.03, name="Followed"
        ),
        train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
        train.ProximalAdagradOptimizer(0.1, 0.2, 0.01, 0.02),
    ]  # fmt: skip
    step = train.get_or_create_global_step()
    x = tf.placeholder(tf.float32, [2], name="x")
    trained, steps, slots = [], [], []
    for n, optimizer in enumerate(made):
        with tf.variable_scope(f"model{n}"):
            w = tf.get_variable("w", [2], initializer=tf.constant_initializer([1.0, -2.0]))
            b = tf.get_variable("b", [], initializer=tf.zeros_initializer())
            loss = tf.reduce_sum(tf.square(w * x + b - 1.0))
        trained.append(optimizer.minimize(loss, step, [w, b]))
        names = optimizer.get_slot_names()
        slots.append([w, b] + [optimizer.get_slot(v, k) for k in names for v in (w, b)])
        slots[-1] += optimizer.variables()
    both = tf.get_variable("both", [2], initializer=tf.ones_initializer())
    dual = train.AdagradDAOptimizer(0.1, step, 0.1, 0.01, 0.02)
    dual_step = dual.minimize(tf.reduce_sum(tf.square(both * x)), var_list=[both])
    slots.append([both] + dual.variables())
    facts = {
        "names": [[v.name for v in row] for row in slots],
        "optimizers": [o.get_name() for o in made],
        "slots": [o.get_slot_names() for o in made],
        "ops": [op.name for op in trained],
        "train ops": [op.name for op in tf.get_collection(tf.GraphKeys.TRAIN_OP)],
    }
    steps = [("init", tf.global_variables_initializer())]
    feeds = [{x: [1.0, 2.0]}, {x: [-0.5, 1.0]}, {x: [2.0, 0.1]}]
    for feed in feeds:
        steps += [("dual", dual_step, feed)]
        steps += [(op.name, op, feed) for op in trained]
        steps += [("state", list(slots))]
    steps += [("global step", step), ("value", lambda sess: train.global_step(sess, step))]
    return {"facts": facts, "steps": steps}
