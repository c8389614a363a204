"""tf.contrib.opt with one worker: elastic averages, accumulated gradient norms, model averages."""

import numpy as np


def build(tf):
    opt = tf.contrib.opt
    start = np.linspace(-1, 1, 6).reshape(3, 2).astype(np.float32)
    step = tf.train.get_or_create_global_step()
    trains, inits, kept = [], [], []

    def model(name, getter):
        with tf.variable_scope(name, custom_getter=getter):
            w = tf.get_variable("w", initializer=start)
            fixed = tf.get_variable(
                "fixed", initializer=start[0], trainable=False, collections=["global_variables"]
            )
        kept.append(w)
        return tf.reduce_sum(tf.square(w) * start) + tf.reduce_sum(fixed)

    def of(name):
        return [v for v in tf.trainable_variables() if v.name.startswith(name)]

    getter = opt.ElasticAverageCustomGetter("")
    loss = model("elastic", getter)
    with tf.variable_scope("elastic_optimizer"):
        optimizer = opt.ElasticAverageOptimizer(tf.train.AdamOptimizer(0.1), 2, getter, 2, rho=0.3)
    gradients = optimizer.compute_gradients(loss)
    trains.append(optimizer.apply_gradients(gradients, step))
    inits.append(optimizer.get_init_op(0))
    swapped = optimizer.swapping_saver(of("elastic"))
    kept += list(getter._global_map.values()) + list(getter._local_map.values())

    tf.get_collection_ref("trainable_variables")[:] = []
    getter = opt.AGNCustomGetter("/cpu:0")
    loss = model("norms", getter)
    with tf.variable_scope("norms_optimizer"):
        optimizer = opt.AGNOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 1, getter, 2)
    trains.append(optimizer.minimize(loss, step, of("norms")))
    inits.append(optimizer.get_init_op(0))
    hook = optimizer.make_session_run_hook(True, 0)
    hook.begin()
    kept += list(getter._global_map.values()) + list(getter._grad_map.values())

    tf.get_collection_ref("trainable_variables")[:] = []
    getter = opt.ModelAverageCustomGetter("/cpu:0")
    loss = model("means", getter)
    with tf.variable_scope("means_optimizer"):
        optimizer = opt.ModelAverageOptimizer(
            tf.train.GradientDescentOptimizer(0.1), 1, True, getter, 2
        )
    trains.append(optimizer.minimize(loss, step, of("means")))
    inits += [optimizer.get_init_op(), optimizer._chief_init_op]
    optimizer.make_session_run_hook().begin()
    kept += list(getter._local_2_global.values())
    return {
        "facts": {
            "global": [v.name for v in tf.global_variables()],
            "local": [v.name for v in tf.local_variables()],
            "saved": sorted(str(v) for v in swapped._var_list),
        },
        "steps": [
            ("initialize", tf.group(tf.global_variables_initializer())),
            ("local", tf.local_variables_initializer()),
            ("start", inits),
            *[("train", [train]) for train in trains for _ in range(5)],
            ("kept", kept + [step]),
        ],
    }
