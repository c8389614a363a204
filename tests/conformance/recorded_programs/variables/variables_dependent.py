"""Variables initialized from other variables: guarded values, functions, conditions, both kinds."""


def build(tf):
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable(a * 2.0, name="b")
    c = tf.Variable(a.initialized_value() + 1.0, name="c")
    d = tf.Variable(tf.stack([b + c, a]), name="d")
    with tf.variable_scope("resource", use_resource=True):
        e = tf.Variable(a + 1.0, name="e")
        f = tf.Variable(e.initialized_value() * 2.0, name="f")
        g = tf.Variable(e * 2.0, name="g")
    h = tf.Variable(lambda: a.initialized_value() * 3.0, name="h")
    i = tf.get_variable("i", initializer=lambda: tf.ones([2]) * b)
    with tf.name_scope("names"):
        j = tf.Variable(tf.identity(h) + 1.0, name="j")
    wanted = tf.placeholder_with_default(True, [])
    k = tf.Variable(tf.cond(wanted, lambda: a + 1.0, lambda: a - 1.0), name="k")

    def branch():
        return tf.Variable(lambda: tf.constant(2.0) * 3.0, name="inside") + 1.0

    chosen = tf.cond(wanted, branch, lambda: tf.constant(1.0))
    with tf.control_dependencies([b.initializer]):
        free = tf.Variable(b + 1.0, name="free")
    everything = [a, b, c, d, e, h, j, k, free]
    first = [a.initializer, e.initializer]
    facts = {
        "initial values": [v.initial_value.name for v in everything],
        "assigned": [v.initializer.inputs[1].name for v in everything],
    }
    return {
        "facts": facts,
        "steps": [
            ("first", first),
            ("changed", a.assign([10.0, 20.0])),
            ("rest", [v.initializer for v in (b, c, f, h, k)]),
            ("more", [v.initializer for v in (d, g, j, free)]),
            ("all", tf.variables_initializer(tf.global_variables("inside|cond"))),
            ("values", [b, c, d, e, f, g, h, j, k, free]),
            ("chosen", chosen),
            ("last", i.initializer),
            ("i", i),
        ],
    }
