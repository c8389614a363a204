"""tf.contrib.opt.ShampooOptimizer: decompositions, iterated roots, intervals, long dimensions; stale gradients."""

import numpy as np

TOLERANCE = 2e-4  # decompositions and iterated roots of matrices in float32


def build(tf):
    opt = tf.contrib.opt
    start = np.linspace(-1, 1, 6).reshape(3, 2).astype(np.float32)
    slope = np.array([[1.0, -2.0], [0.5, 3.0], [-1.0, 0.25]], np.float32)
    step = tf.train.get_or_create_global_step()
    made = {
        "whole": opt.ShampooOptimizer(step, learning_rate=0.1),
        "moving": opt.ShampooOptimizer(
            step,
            gbar_decay=0.5,
            gbar_weight=0.5,
            mat_gbar_decay=0.9,
            mat_gbar_weight=lambda t: 1.0 / (t + 1.0),
            learning_rate=lambda t: 0.1 / t,
            svd_interval=2,
            precond_update_interval=2,
            epsilon=0.1,
        ),
        "iterated": opt.ShampooOptimizer(step, epsilon=0.5, use_iterative_root=True),
        "long": opt.ShampooOptimizer(step, max_matrix_size=2, learning_rate=0.1, epsilon=0.1),
        "longer": opt.ShampooOptimizer(step, max_matrix_size=1, learning_rate=0.1),
    }
    trains, kept = [], []
    for name, optimizer in made.items():
        with tf.variable_scope(name):
            dense = tf.get_variable("dense", initializer=start)
            line = tf.get_variable("line", initializer=start[:1, 0])
            loss = tf.reduce_sum(dense * slope) + tf.reduce_sum(line)
            var_list = [dense, line]
            if name in ("whole", "long"):
                rows = tf.get_variable("rows", initializer=start)
                loss += tf.reduce_sum(tf.gather(rows, [0, 2]) * slope[:2])
                var_list.append(rows)
            trains.append(optimizer.minimize(loss, var_list=var_list))
            kept += var_list
    with tf.control_dependencies(trains):
        counted = tf.assign_add(step, 1)
    w = tf.get_variable("w", initializer=start)
    stale = opt.DropStaleGradientOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 3)
    dropped = stale.minimize(tf.reduce_sum(w * slope), var_list=[w], global_step=step)
    slots = stale.get_slot_names()
    return {
        "facts": {"variables": [v.name for v in tf.global_variables()], "slots": slots},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[("train", counted) for _ in range(4)],
            ("kept", kept),
            ("dropped", dropped),
            ("w", [w, stale.get_slot(w, "momentum"), step]),
        ],
    }
