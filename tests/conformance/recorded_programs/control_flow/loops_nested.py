"""while_loop in while_loop, in cond and around cond; values captured from outside both."""


def build(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.constant([1.0, 2.0], name="y")

    def row(i, total):
        def cell(j, part):
            return j + 1, part + x * tf.cast(i * j, tf.float32) + tf.reduce_sum(y)

        return i + 1, tf.while_loop(lambda j, part: j < i, cell, [0, total])[1]

    nested = tf.while_loop(lambda i, total: i < 4, row, [0, 0.0])

    def deeper(i, a):
        def second(j, b):
            def third(k, c):
                return k + 1, c + x

            return j + 1, tf.while_loop(lambda k, c: k < j, third, [i, b])[1]

        return i + 1, tf.while_loop(lambda j, b: j < 3, second, [0, a])[1] * y[1]

    deep = tf.while_loop(lambda i, a: i < 3, deeper, [0, 0.0], name="deep")
    in_branch = tf.cond(
        x > 0,
        lambda: tf.while_loop(lambda a: a < 100.0, lambda a: a * 2.0 + x, [x])[None],
        lambda: y,
        name="in_branch",
    )

    def choose(i, a):
        a = tf.cond(a > 3.0, lambda: a - x, lambda: a + tf.cast(i, tf.float32))
        a = tf.cond(tf.equal(i % 2, 0), lambda: a * 2.0, lambda: a)
        return i + 1, a

    around = tf.while_loop(lambda i, a: i < 6, choose, [0, x], name="around")

    def both(i, a):
        def loop():
            return tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, b + x), [0, a])[1]

        return i + 1, tf.cond(tf.equal(i % 2, 0), loop, lambda: a * 2.0)

    mixed = tf.while_loop(lambda i, a: i < 5, both, [0, x], name="mixed")

    def predicate(i):
        return tf.while_loop(lambda j: j < 5, lambda j: j + 2, [i]) < 8

    in_predicate = tf.while_loop(predicate, lambda i: i + 1, [tf.constant(0)], name="asked")
    sequence = tf.while_loop(lambda i, a: i < nested[0], lambda i, a: (i + 1, a + deep[1]), [0, x])
    facts = {
        "contexts": [c.name for c in tf.get_collection("while_context")],
        "protos": [str(c.to_proto()) for c in tf.get_collection("while_context")][:2],
        "conds": [c.name for c in tf.get_collection("cond_context")],
    }
    fetches = [nested, deep, around, mixed, in_predicate, sequence]
    steps = [(f"x={k}", fetches, {x: k}) for k in (-1.0, 0.5, 4.0)]
    steps += [("taken", in_branch, {x: 3.0}), ("left", in_branch, {x: -3.0})]
    return {"facts": facts, "steps": steps}
