"""tf.contrib.opt.GGTOptimizer: a window of recent mean gradients; callable settings, constraints, float64."""

import numpy as np

TOLERANCE = 1e-3  # float32 decompositions of nearly singular matrices


def build(tf):
    opt = tf.contrib.opt
    start = np.linspace(-1, 1, 6).reshape(3, 2).astype(np.float32)
    slope = np.array([[1.0, -2.0], [0.5, 3.0], [-1.0, 0.25]], np.float32)
    step = tf.train.get_or_create_global_step()
    rate = tf.placeholder(tf.float32, [], name="rate")
    made = {
        "usual": opt.GGTOptimizer(0.1, window=3, svd_eps=0.01),
        "given": opt.GGTOptimizer(lambda: rate, 0.5, name="Windows", window=2, svd_eps=0.1),
        "outside": opt.GGTOptimizer(0.1, window=2, eps=10.0, svd_eps=0.1, sigma_eps=0.5),
    }
    trains, kept = [], []
    for name, optimizer in made.items():
        dtype = np.float64 if name == "outside" else np.float32
        resource = name == "given"
        with tf.variable_scope(name):
            last = tf.get_variable("last", initializer=start.astype(dtype), use_resource=resource)
            line = tf.get_variable(
                "line",
                initializer=start[:2, 0].astype(dtype),
                constraint=tf.abs if name == "usual" else None,
            )
        loss = tf.reduce_sum(tf.square(last) * slope.astype(dtype)) + tf.reduce_sum(tf.exp(line))
        counted = step if name == "usual" else None
        trains.append(
            optimizer.minimize(loss, counted, [last, line], stop_gradients=[loss.op.inputs[1]])
        )
        kept += [last, line]
    slots = [optimizer.get_slot_names() for optimizer in made.values()]
    own = [[v.name for v in optimizer.variables()] for optimizer in made.values()]
    return {
        "facts": {
            "variables": [v.name for v in tf.global_variables()],
            "slots": slots,
            "own": own,
            "train ops": [op.name for op in tf.get_collection(tf.GraphKeys.TRAIN_OP)],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[(f"train {n}", trains, {rate: 0.1}) for n in range(4)],
            ("kept", [*kept, step]),
        ],
    }
