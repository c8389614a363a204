"""Nested loops: the inner length depends on the outer loop; weights are used in both."""

FEEDS = {"x": [[0.5, -1.0], [1.0, 2.0], [0.1, 0.2]], "times": 3}


def build(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    times = tf.placeholder(tf.int32, [], name="times")
    w = tf.get_variable("w", [2, 2])
    b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())

    def outer(i, rows):
        def inner(j, values):
            return j + 1, tf.tanh(tf.matmul(values, w)) + rows * 0.1

        _, mixed = tf.while_loop(lambda j, _: j <= i, inner, (0, rows), name="inner")
        return i + 1, mixed + b * tf.cast(i, tf.float32)

    _, out = tf.while_loop(lambda i, _: i < times, outer, (0, x), name="outer")
    loss = tf.reduce_sum(tf.square(out - 1.0), name="loss")
    train = tf.train.GradientDescentOptimizer(0.02).minimize(loss)
    return {"train": train, "loss": loss, "feeds": FEEDS, "outputs": {"out": out}}
