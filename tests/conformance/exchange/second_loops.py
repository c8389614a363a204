"""A control flow v2 loop with gradients and branches."""

from tests.support.models import second_control_flow

FEEDS = {"x": [[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]], "times": 5}


def build(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    times = tf.placeholder(tf.int32, [], name="times")
    weights = tf.get_variable(
        "weights", initializer=[[0.5, -0.2, 0.1], [0.3, 0.4, -0.6], [0.2, 0.1, 0.7]]
    )
    shift = tf.get_variable("shift", initializer=[0.1, 0.2, 0.3])

    def inner(j, values):
        return j + 1, values * 0.9 + shift

    def body(i, values):
        values = tf.tanh(tf.matmul(values, weights))
        values = tf.cond(
            tf.equal(i % 2, 0),
            lambda: values + shift,
            lambda: tf.while_loop(lambda j, _: j < i, inner, (0, values))[1],
        )
        return i + 1, values

    with second_control_flow.control_flow_v2(tf):
        _, out = tf.while_loop(lambda i, _: i < times, body, (0, x))
        loss = tf.reduce_mean(tf.square(out - 0.5), name="loss")
        train = tf.train.AdamOptimizer(0.05).minimize(loss)
    out = tf.identity(out, name="out")
    return {"train": train, "loss": loss, "feeds": FEEDS, "outputs": {"out": out}}
