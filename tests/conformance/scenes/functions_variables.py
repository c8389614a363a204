"""Variables created in control flow v2."""

import numpy as np


def variables_in_parts(tf, stage):
    """Variables created in branches and loops of control flow v2, which are resource variables, and their updates."""
    x = np.float32([[1.0, 2.0], [3.0, 5.0]])

    def normalized():
        return tf.layers.batch_normalization(tf.constant(x), training=True, name="bn") * x

    def measured():
        return tf.metrics.mean(x)[1]

    def assigned(kind):
        def run():
            v = kind()
            stage.say(type(v).__name__, v.name, v.dtype)
            with tf.control_dependencies([v.assign_add(1.0)]):
                return v.read_value() * 2.0

        return run

    def got():
        return tf.get_variable("got", initializer=lambda: tf.constant(3.0))

    def made():
        return tf.Variable(lambda: tf.constant(2.0), name="made")

    def in_scope():
        with tf.variable_scope("plain", use_resource=False):
            return tf.get_variable("w", initializer=lambda: tf.constant(1.0))

    def around(part, test):
        i = tf.constant(1)
        if test == "cond":
            return tf.cond(i > 0, part, lambda: part() * 1.0 if part is not normalized else x)
        if test == "switch":
            return tf.switch_case(i, [lambda: part() * 0.0, part])
        if test == "while":
            return tf.while_loop(
                lambda n, _: n < 2, lambda n, a: (n + 1, a + tf.reduce_sum(part())), [i, 0.0]
            )
        return tf.map_fn(
            lambda row: tf.reduce_sum(part()) + row, tf.constant([1.0, 2.0]), parallel_iterations=1
        )

    parts = {
        "normalized": normalized,
        "measured": measured,
        "got": assigned(got),
        "made": assigned(made),
        "in scope": assigned(in_scope),
    }
    tf.enable_control_flow_v2()
    try:
        for name, part in parts.items():
            for test in ("cond", "switch", "while", "map"):
                stage.say(name, test)
                with tf.Graph().as_default(), stage.failing():
                    with tf.variable_scope("", reuse=tf.AUTO_REUSE) as scope:
                        result = around(part, test)
                        stage.say(scope.use_resource)
                    stage.say([(v.name, type(v).__name__) for v in tf.global_variables()])
                    stage.say([v.name for v in tf.local_variables()])
                    stage.say([n.name for n in tf.get_collection(tf.GraphKeys.UPDATE_OPS)])
                    inits = [tf.global_variables_initializer(), tf.local_variables_initializer()]
                    with tf.Session() as session:
                        stage.attempt(session.run, inits)
                        stage.attempt(session.run, result)
    finally:
        tf.disable_control_flow_v2()
