"""Random numbers, branches and side effects in control flow v2 loops, and the values kept for their gradients."""

from tests.support.models import second_control_flow

FREEZES = False  # TensorFlow does not freeze captured resource variables of functions
FEEDS = {"x": [0.5, -1.0, 2.0], "times": 4}


def build(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    times = tf.placeholder(tf.int32, [], name="times")
    scale = tf.get_variable("scale", initializer=[0.9, 0.8, 0.7])
    passes = tf.get_variable("passes", initializer=0.0, use_resource=True, trainable=False)

    def body(i, values):
        noise = tf.random_uniform([3], 0.5, 1.5, seed=5)
        values = tf.cond(
            tf.reduce_sum(values) > 0.0,
            lambda: tf.sin(values * scale) * noise,
            lambda: tf.cond(tf.equal(i, 2), lambda: values + noise, lambda: tf.exp(values * noise)),
        )
        with tf.control_dependencies([passes.assign_add(1.0)]):
            return i + 1, tf.identity(values)

    with second_control_flow.control_flow_v2(tf):
        _, drawn = tf.while_loop(lambda i, _: i < times, body, (0, x), parallel_iterations=1)
        loss = tf.reduce_mean(tf.square(drawn - 0.5))
        train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
    out = tf.identity(drawn, name="out")
    return {"train": train, "loss": loss, "feeds": FEEDS, "outputs": {"out": out}}
