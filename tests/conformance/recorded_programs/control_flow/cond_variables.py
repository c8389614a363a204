"""Variables made from variables: initialized_value, chains, in a cond, by a function."""


def build(tf):
    a = tf.Variable(tf.random_uniform([2, 2]), name="a")
    b = tf.Variable(a.initialized_value() * 2.0, name="b")
    c = tf.Variable(b * a + 1.0, name="c")
    d = tf.get_variable("d", initializer=lambda: tf.ones([2]) * 3.0)
    e = tf.get_variable("e", initializer=d.initialized_value() + 1.0)
    with tf.variable_scope("scope"):
        f = tf.get_variable("f", initializer=tf.matmul(a, b.initial_value))
        g = tf.Variable(lambda: tf.reduce_sum(f.initialized_value()), name="g")
    h = tf.Variable(tf.reduce_sum(e) + g, name="h", trainable=False)
    checks = [tf.is_variable_initialized(v) for v in (a, h)]
    names = tf.report_uninitialized_variables([a, c, h], name="missing")
    every = tf.report_uninitialized_variables()
    ready = tf.assert_variables_initialized([d])
    steps = [
        ("none", [checks, names, every]),
        ("one", [a.initializer, d.initializer]),
        ("left", [checks, names]),
        ("ready", ready),
        ("rest", tf.variables_initializer([b, c, e, f, g, h])),
        ("all", [a, b, c, d, e, f, g, h]),
        ("checks", [checks, every, b.initialized_value()]),
    ]
    facts = {"initial": [v.initial_value.name for v in (a, b, c, d, e, f, g, h)]}
    return {"facts": facts, "steps": steps}
