"""Functions that call each other, stateful ones included, and a three-way case; TensorFlow writes PartitionedCalls."""

from tests.support.models import second_control_flow

FREEZES = False  # TensorFlow does not freeze captured resource variables of functions
FEEDS = {"x": [[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]], "which": 1}


def build(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    which = tf.placeholder(tf.int32, [], name="which")
    weights = tf.get_variable(
        "weights",
        initializer=[[0.5, -0.2, 0.1], [0.3, 0.4, -0.6], [0.2, 0.1, 0.7]],
        use_resource=True,
    )
    shift = tf.get_variable("shift", initializer=[0.1, 0.2, 0.3], use_resource=True)
    function = second_control_flow.function(tf)

    @function
    def layer(values):
        return tf.tanh(tf.matmul(values, weights) + shift)

    @function
    def pure(a, b):
        return a * b + tf.reduce_sum(a, axis=0), tf.exp(-b * b)

    @function
    def deep(values):
        first = layer(values)
        product, bell = pure(first, values)
        return layer(product) * bell, tf.shape(values)[0]

    with second_control_flow.control_flow_v2(tf):
        hidden, count = deep(x)
        chosen = second_control_flow.switch_case(
            tf, which, [lambda: hidden * 2.0, lambda: layer(hidden) - x, lambda: tf.square(hidden)]
        )
        chosen.set_shape([None, 3])
        loss = tf.reduce_sum(tf.square(chosen - 0.25)) / tf.cast(count, tf.float32)
        train = tf.train.AdamOptimizer(0.05).minimize(loss)
    out = tf.identity(chosen, name="out")
    return {"train": train, "loss": loss, "feeds": FEEDS, "outputs": {"out": out}}
