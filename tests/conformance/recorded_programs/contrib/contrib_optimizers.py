"""tf.contrib.opt: weight decay, lazy and Nesterov Adam, AdaMax, sign updates; dense, sparse, resources."""

import numpy as np


def build(tf):
    opt = tf.contrib.opt
    start = np.linspace(-1, 1, 6).reshape(3, 2).astype(np.float32)
    decaying = opt.extend_with_decoupled_weight_decay(tf.train.GradientDescentOptimizer)

    def fading(step):
        assert step is None
        return tf.train.exponential_decay(1.0, 3, 2, 0.5)

    made = {
        "adamw": lambda: opt.AdamWOptimizer(0.01, learning_rate=0.1),
        "momentumw": lambda: opt.MomentumWOptimizer(tf.constant(0.05), 0.1, 0.9, use_nesterov=True),
        "sgdw": lambda: decaying(weight_decay=0.1, learning_rate=0.2),
        "lazy": lambda: opt.LazyAdamOptimizer(0.1),
        "nadam": lambda: opt.NadamOptimizer(0.1, name="Nadam"),
        "adamax": lambda: opt.AdaMaxOptimizer(0.1),
        "addsign": lambda: opt.AddSignOptimizer(0.1),
        "addsign_fading": lambda: opt.AddSignOptimizer(0.1, sign_decay_fn=fading, name="fading"),
        "powersign": lambda: opt.PowerSignOptimizer(0.1, base=2.0),
    }
    trains, kept = [], []
    for name, make in made.items():
        for use_resource in (False, True):
            optimizer = make()
            with tf.variable_scope(name + ("_resource" if use_resource else "")):
                dense = tf.get_variable("dense", initializer=start, use_resource=use_resource)
                rows = tf.get_variable("rows", initializer=start, use_resource=use_resource)
                loss = tf.reduce_sum(dense * start)  # its gradient reads no variable
                var_list = [dense]
                if not (use_resource and "sign" in name):
                    loss += tf.reduce_sum(tf.gather(rows, [0, 2, 0]) * [1.0, -2.0])
                    var_list.append(rows)
                gradients = optimizer.compute_gradients(loss, var_list)
                if name == "sgdw":
                    train = optimizer.apply_gradients(gradients, decay_var_list=[rows])
                else:
                    train = optimizer.apply_gradients(gradients)
                trains.append(train)
                kept += var_list
    return {
        "facts": {"variables": [v.name for v in tf.global_variables()]},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[("train", trains) for _ in range(3)],
            ("kept", kept),
        ],
    }
