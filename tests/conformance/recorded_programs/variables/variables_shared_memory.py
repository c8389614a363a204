"""Aliases of a reference variable: passed on, reshaped, selected, looped, they share its value."""


def build(tf):
    steps = []

    def rewritten(name, share, start=(1.0, 2.0, 3.0, 4.0)):
        """A value that depends on the variable, taken before and used after an assignment."""
        with tf.name_scope(name):
            v = tf.Variable(start, name="v")
            shared = share(v)
            with tf.control_dependencies([shared]):
                assigned = tf.assign(v, v * 10.0)
            with tf.control_dependencies([assigned]):
                after = shared + 0.0
                again = tf.identity(shared, name="again")
            steps.extend([(name, v.initializer), (name, [after, again]), (name, v)])

    rewritten("identity", lambda v: tf.identity(tf.identity(v)))
    rewritten("stop_gradient", tf.stop_gradient)
    rewritten("prevent_gradient", lambda v: tf.raw_ops.PreventGradient(input=v))
    rewritten("identity_n", lambda v: tf.identity_n([v, v * 2.0])[0])
    rewritten("identity_n_values", lambda v: tf.identity_n([v * 2.0, v])[1])
    rewritten("tuple", lambda v: tf.tuple([v, v * 2.0])[0])
    rewritten("reshape", lambda v: tf.reshape(v, [2, -1]))
    rewritten("reshape_twice", lambda v: tf.expand_dims(tf.reshape(v, [2, 2]), 0))
    rewritten("squeeze", lambda v: tf.squeeze(tf.expand_dims(v, 1)))
    rewritten("bitcast", lambda v: tf.bitcast(tf.bitcast(v, tf.int32), tf.float32))
    rewritten("ensure_shape", lambda v: tf.ensure_shape(v, [None]))
    rewritten("by_default", lambda v: tf.placeholder_with_default(v, [4]))
    rewritten("computed", lambda v: v * 1.0)
    rewritten("part", lambda v: v[1:3])
    rewritten("assigned", lambda v: tf.assign_add(v, v))
    rewritten("scalar", lambda v: tf.reshape(v, [1]), 2.0)

    def chosen(name, p):
        rewritten("cond_" + name, lambda v: tf.cond(p, lambda: v, lambda: v * 2.0))
        rewritten(
            "cond_assigns_" + name,
            lambda v: tf.cond(p, lambda: tf.assign(v, v * 3.0), lambda: tf.reshape(v, [4])),
        )
        rewritten(
            "cond_in_cond_" + name,
            lambda v: tf.cond(
                p, lambda: tf.cond(p, lambda: v + 1.0, lambda: v), lambda: tf.reshape(v, [4])
            ),
        )

    chosen("true", tf.placeholder_with_default(True, []))
    chosen("false", tf.placeholder_with_default(False, []))
    rewritten("case", lambda v: tf.case([(tf.constant(False), lambda: -v)], default=lambda: v))

    def loop(count, body):
        return lambda v: tf.while_loop(lambda i, x: i < count, body(v), [0, v])[1]

    rewritten("never_round", loop(0, lambda v: lambda i, x: [i + 1, x + 1.0]))
    rewritten("carried", loop(2, lambda v: lambda i, x: [i + 1, x]))
    rewritten("taken_up", loop(2, lambda v: lambda i, x: [i + 1, v]))
    rewritten("reshaped", loop(2, lambda v: lambda i, x: [i + 1, tf.reshape(v, [4])]))
    rewritten("replaced", loop(2, lambda v: lambda i, x: [i + 1, x * 2.0]))
    return {"steps": steps}
