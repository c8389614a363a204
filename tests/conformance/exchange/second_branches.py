"""Control flow v2 branches, nested, whose gradients need different intermediates."""

from tests.support.models import second_control_flow

FEEDS = {"x": [2.0, -1.5, 0.5], "flip": True}


def build(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    flip = tf.placeholder(tf.bool, [], name="flip")
    scale = tf.get_variable("scale", initializer=[0.9, 0.8, 0.7])
    shift = tf.get_variable("shift", initializer=0.3)
    with second_control_flow.control_flow_v2(tf):
        total = tf.reduce_sum(x * scale)
        first = tf.cond(flip, lambda: tf.sin(x * scale) * shift, lambda: x + shift)
        out = tf.cond(
            total > 100.0,
            lambda: first * scale,
            lambda: tf.cond(total > 0.5, lambda: tf.exp(first) * shift, lambda: first / scale),
        )
        loss = tf.reduce_mean(tf.square(out - 0.5), name="loss")
        train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    out = tf.identity(out, name="out")
    return {"train": train, "loss": loss, "feeds": FEEDS, "outputs": {"out": out}}
