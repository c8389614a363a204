"""Gradients of conditionals in loops, loops in conditionals, and deeper nesting."""


def build(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    u = tf.placeholder(tf.float32, [None], name="u")
    s = tf.placeholder(tf.float32, [], name="s")
    fetches = []

    def alternating(i, a):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a * x, lambda: tf.sin(a) + u)

    loop = tf.while_loop(lambda i, a: i < 4, alternating, [0, u * 2.0], name="alternating")
    fetches += [tf.gradients(loop[1], [x, u])]

    def by_value(i, a, b):
        a, b = tf.cond(tf.reduce_sum(a) > s, lambda: (a * 0.5, b + a), lambda: (a + x, b * 2.0))
        return i + 1, a, b

    loop = tf.while_loop(lambda i, *_: i < 5, by_value, [0, x, x], name="by_value")
    fetches += [tf.gradients(loop[1:], [x]), tf.gradients(loop[2], [x, s])]

    def within(i, a):
        def yes():
            return tf.cond(a[0] > 1.0, lambda: tf.square(a), lambda: a * u)

        return i + 1, tf.cond(i > 1, yes, lambda: tf.exp(a * 0.1))

    loop = tf.while_loop(lambda i, a: i < 5, within, [0, u], name="within")
    fetches += [tf.gradients(loop[1], [u])]

    def unread(i, a):
        pair = tf.cond(i > 1, lambda: (a * u, tf.square(a)), lambda: (tf.tanh(a), a - 1.0))
        return i + 1, pair[0]

    loop = tf.while_loop(lambda i, a: i < 4, unread, [0, u], name="unread")
    fetches += [tf.gradients(loop[1], [u])]

    def passing(i, a, b):
        return i + 1, tf.cond(i > 1, lambda: a, lambda: b), b * u

    loop = tf.while_loop(lambda i, *_: i < 4, passing, [0, u, u * 2.0], name="passing")
    fetches += [tf.gradients(loop[1], [u])]

    def inner_loop(i, a):
        def yes():
            return tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, b * u + a), [0, a])[1]

        return i + 1, tf.cond(tf.equal(i % 2, 0), yes, lambda: a * a)

    loop = tf.while_loop(lambda i, a: i < 4, inner_loop, [0, u], name="inner_loop")
    fetches += [tf.gradients(loop[1], [u])]
    branch = tf.cond(
        s > 0.0,
        lambda: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, u])[1],
        lambda: u * 2.0 + x,
        name="branch",
    )
    fetches += [tf.gradients(branch, [x, u])]

    def middle():
        def body(i, a):
            return i + 1, tf.cond(tf.reduce_sum(a) > 1.0, lambda: a * u, lambda: a + x)

        return tf.while_loop(lambda i, a: i < 3, body, [0, x])[1]

    around = tf.cond(s > 0.0, middle, lambda: x * u, name="around")
    fetches += [tf.gradients(around, [x, u])]

    def cases(i, a):
        pairs = [(tf.equal(i, 0), lambda: a * 2.0), (tf.equal(i, 1), lambda: a * u)]
        return i + 1, tf.case(pairs, default=lambda: tf.square(a), exclusive=True)

    loop = tf.while_loop(lambda i, a: i < 4, cases, [0, u], name="cases")
    fetches += [tf.gradients(loop[1], [u])]
    found = [[g for g in grads if g is not None] for grads in fetches]
    facts = {"none": [[g is None for g in grads] for grads in fetches]}
    steps = []
    for value in (-1.0, 2.0):
        feed = {x: [0.9, 0.6], u: [1.2, 0.4], s: value}
        steps += [(f"{i} s={value}", fetch, feed) for i, fetch in enumerate(found)]
    return {"steps": steps, "facts": facts}
