"""Training chosen by a placeholder: dropout, moving averages and updates inside cond, devices."""


def build(tf):
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    training = tf.placeholder(tf.bool, [], name="training")
    with tf.variable_scope("norm"):
        beta = tf.get_variable("beta", [3], initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", [3], initializer=tf.ones_initializer())
        mean, variance = tf.nn.moments(x, [0], name="moments")
        average = tf.train.ExponentialMovingAverage(0.5)

        def update():
            with tf.control_dependencies([average.apply([mean, variance])]):
                return tf.identity(mean), tf.identity(variance)

        m, v = tf.cond(training, update, lambda: (average.average(mean), average.average(variance)))
        normed = (x - m) / tf.sqrt(v + 1e-3) * gamma + beta
    dropped = tf.cond(
        training, lambda: tf.nn.dropout(normed, 0.5, seed=3), lambda: tf.identity(normed)
    )
    w = tf.get_variable("w", [3, 2])
    with tf.device("/cpu:0"):
        out = tf.cond(
            training,
            lambda: tf.matmul(dropped, w),
            lambda: tf.nn.softmax(tf.matmul(dropped, w)),
            name="out",
        )
    step = tf.Variable(0, trainable=False, name="step")
    rate = tf.cond(step < 2, lambda: 0.1, lambda: tf.train.exponential_decay(0.1, step, 1, 0.5))
    loss = tf.reduce_mean(tf.square(out))
    train = tf.train.GradientDescentOptimizer(rate).minimize(loss, step)
    skipped = tf.cond(training, lambda: step.assign_add(10), lambda: step + 0, name="skip")
    data = [[1, 2, 3], [4, 6, 5], [0, 1, 0], [2, 2, 2]]
    steps = [("init", tf.global_variables_initializer())]
    for k in range(4):
        steps += [(f"train {k}", train, {x: data, training: True})]
        steps += [(f"test {k}", [out, loss, m, v, rate], {x: data, training: False})]
    steps += [("skip", skipped, {training: True}), ("step", step)]
    return {"steps": steps + [("end", tf.global_variables())]}
