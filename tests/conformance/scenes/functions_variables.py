"""Reference variables in functions with gradients of their own, variables made in parts of the second control flow."""

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.functions_gradients import _run, _value


@in_own_graph
def custom_gradients_with_reference_variables(tf, stage):
    """Variables of the default kind that the function reads: one, several of both kinds, parts, one not trained."""
    v = tf.get_variable("v", initializer=3.0)
    w = tf.Variable([2.0, 5.0], name="w")
    fixed = tf.get_variable("fixed", initializer=4.0, trainable=False)
    r = _value(tf, "r", 7.0)
    parts = tf.get_variable(
        "parts", [4], tf.float32, tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2)
    )
    x = tf.constant(1.5)

    def scaled(read):
        @tf.custom_gradient
        def called(x):
            def grad(dy, variables=None):
                stage.say(sorted(v.name for v in variables))
                sizes = {v.name: 10.0 * (n + 1) for n, v in enumerate(sorted(variables, key=str))}
                return dy * 100.0, [sizes[v.name] * tf.ones(v.shape) for v in variables]

            return read(x), grad

        return called

    for name, read, xs in (
        ("one", lambda x: x * v, [x, v]),
        ("two", lambda x: x * v + tf.reduce_sum(w), [x, v, w]),
        ("both kinds", lambda x: x * v * r, [x, v, r]),
        ("parts", lambda x: x * tf.reduce_sum(parts), [x, *parts]),
        ("rows", lambda x: x * tf.gather(w, 1), [x, w]),
        ("not trained", lambda x: x * fixed * v, [x, v]),
        ("read twice", lambda x: x * v * v.read_value(), [x, v]),
        ("assigned", lambda x: x * tf.assign(v, v * 1.0), [x, v]),
    ):
        stage.say(name)
        with stage.failing():
            result = scaled(read)(x)
            grads = tf.gradients(result, xs)
            stage.say([grad is None for grad in grads])
            _run(tf, stage, [result, *[grad for grad in grads if grad is not None]])
    passed = tf.grad_pass_through(lambda x: x * v)(x)
    _run(tf, stage, [passed, tf.gradients(passed, [x])])
    within = tf.cond(x > 1.0, lambda: scaled(lambda x: x * v)(x), lambda: x)
    _run(tf, stage, [within, *tf.gradients(within, [x, v])])


def variables_in_parts(tf, stage):
    """Variables made in branches and loops of the second kind, which are resource variables, and what changes them."""
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
