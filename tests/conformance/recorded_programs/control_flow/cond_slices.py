"""Conditions that return slices, sparse tensors, operations, lists of one; variables in branches."""


def build(tf):
    p = tf.placeholder(tf.bool, [], name="p")
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="x")
    v = tf.Variable([1.0, 2.0], name="v")

    def slices(values, indices):
        return tf.IndexedSlices(tf.constant(values), tf.constant(indices), tf.constant([3, 2]))

    def sparse(value):
        return tf.SparseTensor([[0, 1]], [value], [2, 2])

    a = tf.cond(p, lambda: slices([[1.0, 1.0]], [0]), lambda: slices([[2.0, 2.0]], [2]), name="a")
    b = tf.cond(p, lambda: sparse(1.0), lambda: sparse(2.0), name="b")
    c = tf.cond(p, lambda: v.assign_add([1.0, 1.0]).op, tf.no_op, name="c")
    d = tf.cond(p, lambda: [tf.gather(x, 0)], lambda: [x[1]], name="d")
    e = tf.cond(p, lambda: (v, x), lambda: (v * 2.0, x - 1.0), name="e")
    made = []

    def branch(value):
        made.append(
            tf.get_variable(f"in_branch_{value}", initializer=lambda: tf.fill([2], float(value)))
        )
        return made[-1] + 0.0

    with tf.variable_scope("scope"):
        f = tf.cond(p, lambda: branch(1), lambda: branch(2), name="f")
    with tf.control_dependencies([v.initializer]):
        g = tf.cond(p, lambda: tf.Print(x, [x], "taken"), lambda: x, name="g")
    h = tf.cond(tf.logical_not(p), lambda: tf.stop_gradient(v), lambda: tf.identity(v), name="h")
    i = tf.cond(p, lambda: tf.reduce_sum(f), lambda: tf.reduce_sum(f * v), name="i")
    gradients = tf.gradients([h, tf.reduce_sum(e[1])], [v, x]) + tf.gradients(i, [v, made[0]])
    mapped = tf.cond(
        p, lambda: {"one": x, "two": {"three": v}}, lambda: {"one": -x, "two": {"three": -v}}
    )
    facts = {
        "types": [type(t).__name__ for t in (a, b, c, d, e, f)],
        "names": [a.values.name, b.values.name, c.name, d.name, e[0].name, f.name],
        "variables": [t.name for t in made],
        "collections": [t.name for t in tf.global_variables()],
        "none": [t is None for t in gradients],
    }
    kept = [t for t in gradients if t is not None]
    steps = [("init", tf.global_variables_initializer())]
    for flag in (True, False):
        feed = {p: flag}
        steps += [(f"{flag}", [a, b, d, f, h, i, mapped, kept], feed), (f"c {flag}", c, feed)]
        steps += [(f"e {flag}", e, feed), (f"g {flag}", g, feed), ("v", v)]
    return {"facts": facts, "steps": steps}
