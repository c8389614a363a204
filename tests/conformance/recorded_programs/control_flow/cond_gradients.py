"""Gradients through cond: captured tensors, nested conds, variables, None in a branch."""


def build(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    p = tf.placeholder(tf.bool, [], name="p")
    q = tf.placeholder(tf.bool, [], name="q")
    w = tf.Variable([1.0, -2.0], name="w")
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="table")
    a = tf.cond(p, lambda: tf.square(x) * w, lambda: tf.sin(x))
    b = tf.cond(p, lambda: tf.cond(q, lambda: x * x * w, lambda: tf.exp(x)), lambda: w * 3.0)
    c = tf.cond(p, lambda: tf.gather(table, [0, 2]), lambda: tf.gather(table, [1, 1]))
    one, two = tf.cond(q, lambda: (x, w), lambda: (w, x))
    d = tf.cond(q, lambda: tf.constant(1.0), lambda: tf.reduce_sum(x))
    loss = tf.reduce_sum(a) + tf.reduce_sum(b * one) + tf.reduce_sum(tf.square(c)) + d
    loss += tf.reduce_sum(two * two)
    gradients = tf.gradients(loss, [x, w, table])
    second = tf.gradients(tf.reduce_sum(tf.cond(p, lambda: x**3, lambda: x)), x)[0]
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    steps = [("init", tf.global_variables_initializer())]
    for pv in (True, False):
        for qv in (True, False):
            feed = {x: [0.5, -1.5], p: pv, q: qv}
            steps += [(f"{pv} {qv}", [loss, gradients, second], feed)]
            steps += [("train", train, feed), ("variables", [w, table])]
    facts = {"kinds": [type(g).__name__ for g in gradients]}
    return {"facts": facts, "steps": steps}
