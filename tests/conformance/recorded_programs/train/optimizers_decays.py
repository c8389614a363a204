"""Every learning-rate decay of tf.train over steps, staircases and bounds."""

TOLERANCE = 4e-6


def build(tf):
    train = tf.train
    step = tf.Variable(0, trainable=False, name="step", dtype=tf.int64)
    bump = step.assign_add(3)
    rates = [
        train.exponential_decay(0.1, step, 10, 0.9),
        train.exponential_decay(0.1, step, 4, 0.5, True),
        train.piecewise_constant(step, [4, 10], [1.0, 0.5, 0.1]),
        train.piecewise_constant(step, [4, 10], [1, 2, 3], name="whole"),
        train.piecewise_constant_decay(step, [7], [0.1, 0.2]),
        train.polynomial_decay(0.1, step, 10),
        train.polynomial_decay(0.1, step, 5, 0.01, 2.0, True),
        train.natural_exp_decay(0.1, step, 10, 0.9),
        train.natural_exp_decay(0.1, step, 4, 0.5, True),
        train.inverse_time_decay(0.1, step, 10, 0.9),
        train.inverse_time_decay(0.1, step, 4, 0.5, True), train.cosine_decay(0.1, step, 10),
        train.cosine_decay(0.1, step, 10, 0.2), train.cosine_decay_restarts(0.1, step, 4),
        train.cosine_decay_restarts(0.1, step, 4, 1.0, 0.9),
        train.linear_cosine_decay(0.1, step, 10),
        train.linear_cosine_decay(0.1, step, 10, 0.3, 0.1, 0.2),
        train.noisy_linear_cosine_decay(0.1, step, 10),
        train.exponential_decay(tf.constant(0.1, tf.float64), step, 10, 0.9, name="double"),
    ]  # fmt: skip
    small = tf.placeholder(tf.int32, [], name="small")
    rates += [
        train.exponential_decay(0.1, small, 10, 0.9),
        train.piecewise_constant(small, [2], [1.0, 0.0]),
    ]
    optimizer = train.GradientDescentOptimizer(rates[0])
    v = tf.Variable(5.0, name="v")
    trained = optimizer.minimize(tf.square(v), global_step=step)
    steps = [("init", tf.global_variables_initializer())]
    for k in range(5):
        steps += [(f"{k}", rates, {small: k}), ("bump", bump)]
    steps += [("train", trained), ("v", [v, step])]
    return {"facts": {"names": [t.name for t in rates]}, "steps": steps}
