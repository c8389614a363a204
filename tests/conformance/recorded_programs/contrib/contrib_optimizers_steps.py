"""tf.contrib.opt: AdamGS with an explicit global step, LARS with skipped layers, RegAdagrad."""

import numpy as np


def build(tf):
    opt = tf.contrib.opt
    start = np.linspace(-1, 1, 6).reshape(3, 2).astype(np.float32)
    step = tf.train.get_or_create_global_step()
    regularized = opt.RegAdagradOptimizer(0.1)
    made = {
        "adam": opt.AdamGSOptimizer(step, 0.1),
        "lazy": opt.LazyAdamGSOptimizer(step, 0.1),
        "lars": opt.LARSOptimizer(0.1, weight_decay=0.01, eeta=0.5, use_nesterov=True),
        "skipped": opt.LARSOptimizer(0.1, skip_list=["dense"], name="Skipping"),
        "adagrad": regularized,
    }
    trains, kept = [], []
    for name, optimizer in made.items():
        for use_resource in (False, True):
            with tf.variable_scope(name + ("_resource" if use_resource else "")):
                dense = tf.get_variable("dense", initializer=start, use_resource=use_resource)
                rows = tf.get_variable("rows", initializer=start, use_resource=use_resource)
                loss = tf.reduce_sum(dense * start)  # its gradient reads no variable
                loss += tf.reduce_sum(tf.gather(rows, [0, 2, 0]) * [1.0, -2.0])
                gradients = optimizer.compute_gradients(loss, [dense, rows])
                train = optimizer.apply_gradients(gradients)
                if name == "adagrad":
                    with tf.control_dependencies([train]), regularized.avoid_updating_slots():
                        train = optimizer.apply_gradients(gradients, name="again")
                trains.append(train)
                kept += [dense, rows] + optimizer.variables()
    with tf.control_dependencies(trains):
        counted = tf.assign_add(step, 1)
    return {
        "facts": {"variables": [v.name for v in tf.global_variables()]},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[("train", counted) for _ in range(4)],
            ("kept", kept),
        ],
    }
