"""Nested branches in a loop, selected by computed values."""

FEEDS = {"x": [2.0, -1.5, 0.5], "times": 6}


def build(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    times = tf.placeholder(tf.int32, [], name="times")
    scale = tf.get_variable("scale", initializer=[0.9, 0.8, 0.7])
    shift = tf.get_variable("shift", initializer=0.3)

    def body(i, values):
        total = tf.reduce_sum(values)
        values = tf.cond(
            total > 1.0,
            lambda: values * scale,
            lambda: tf.cond(
                tf.equal(i % 2, 0), lambda: values + shift, lambda: values * shift + 1.0
            ),
        )
        return i + 1, values

    _, out = tf.while_loop(lambda i, _: i < times, body, (0, x))
    loss = tf.reduce_mean(tf.square(out - 0.5), name="loss")
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    return {"train": train, "loss": loss, "feeds": FEEDS, "outputs": {"out": out}}
