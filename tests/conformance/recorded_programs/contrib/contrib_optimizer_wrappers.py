"""tf.contrib.opt optimizer wrappers: moving averages, clipped variable norms, multitask turns."""

import numpy as np


def build(tf):
    opt = tf.contrib.opt
    start = np.linspace(-1, 2, 6).reshape(3, 2).astype(np.float32)
    trains, kept = [], []
    for use_resource in (False, True):
        with tf.variable_scope("resource" if use_resource else "plain", use_resource=use_resource):
            w = tf.get_variable("w", initializer=start)
            rows = tf.get_variable("rows", initializer=start)
            loss = tf.reduce_sum(tf.square(w)) + tf.reduce_sum(tf.gather(rows, [0, 2]) * 2.0)
            averaged = opt.MovingAverageOptimizer(tf.train.AdamOptimizer(0.1), 0.5)
            trains.append(averaged.minimize(loss, var_list=[w, rows]))
            apart = opt.MovingAverageOptimizer(
                tf.train.GradientDescentOptimizer(0.1), tf.constant(0.9), sequential_update=True
            )
            trains.append(apart.minimize(loss, var_list=[w]))
            clipping = opt.VariableClippingOptimizer(
                tf.train.GradientDescentOptimizer(0.1), {w: [1], rows: [1]}, 0.75
            )
            trains.append(clipping.minimize(loss, var_list=[w, rows]))
            by_column = opt.VariableClippingOptimizer(
                tf.train.MomentumOptimizer(0.1, 0.9), {rows: [0]}, 0.5, True, True, "columns"
            )
            trains.append(by_column.minimize(loss, var_list=[rows]))
            task = tf.placeholder_with_default(1.0, [], name="task")
            multi = opt.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(0.1, 0.9))
            pairs = multi.compute_gradients(task * tf.reduce_sum(tf.square(w)), [w])
            pairs, norm = opt.clip_gradients_by_global_norm(pairs, 1.0)
            trains.append(multi.apply_gradients(pairs))
            kept += [w, rows, norm]
    return {
        "facts": {
            "variables": [v.name for v in tf.global_variables()],
            "slots": clipping.get_slot_names(),
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[("train " + train.name, train) for train in trains for _ in range(2)],
            ("kept", kept),
            ("another task", trains[4], {"plain/task:0": 0.0}),
            ("after it", kept),
        ],
    }
