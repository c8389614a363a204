"""Gradients of loops whose variables are unused afterwards, integers, stopped, or overwritten."""


def build(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    u = tf.placeholder(tf.float32, [None], name="u")
    m = tf.placeholder(tf.float64, [None, 2], name="m")
    more = tf.constant(3)

    def three(i, a, b, c):
        return i + 1, a * b, b + c, c * x

    _, a, b, c = tf.while_loop(
        lambda i, *_: i < more, three, [0, x, x * 2.0, x - 1.0], name="three"
    )
    fetches = [tf.gradients(a, [x]), tf.gradients([a, c], [x]), tf.gradients(b, [x, more])]

    def unknown(i, a, b):
        return i + 1, a * b, tf.sin(b)

    _, a, _ = tf.while_loop(lambda i, *_: i < more, unknown, [0, u, u * 2.0], name="unknown")
    fetches.append(tf.gradients(a, [u]))

    def replaced(i, a, b):
        return i + 1, x * tf.cast(i, tf.float32), a + b

    _, a, b = tf.while_loop(lambda i, *_: i < more, replaced, [0, x, x], name="replaced")
    fetches += [tf.gradients(a, [x]), tf.gradients(b, [x]), tf.gradients([a, b], [x])]

    def forgotten(i, a, b):
        return i + 1, u * 2.0, a + b

    _, a, b = tf.while_loop(lambda i, *_: i < more, forgotten, [0, u, u], name="forgotten")
    fetches += [tf.gradients(a, [u]), tf.gradients(b, [u])]

    def integers(i, k, a):
        return i + 1, k + tf.cast(a[0], tf.int32), a * tf.cast(k, tf.float32)

    _, k, a = tf.while_loop(lambda i, *_: i < more, integers, [0, 1, x], name="integers")
    fetches.append(tf.gradients(a, [x]))
    facts = {"k": str(tf.gradients(tf.cast(k, tf.float32), [x]))}

    def stopping(i, a, b):
        return i + 1, tf.stop_gradient(a) * b, b * x

    _, a, b = tf.while_loop(lambda i, *_: i < more, stopping, [0, x, x], name="stopping")
    fetches += [tf.gradients(a, [x]), tf.gradients(a, [x], stop_gradients=[b])]

    def constant(i, a, b):
        return i + 1, a, b + a

    _, a, b = tf.while_loop(lambda i, *_: i < more, constant, [0, x, u], name="constant")
    fetches += [tf.gradients(b, [x, u]), tf.gradients(a, [x])]
    doubles = tf.while_loop(
        lambda i, a, b: i < more,
        lambda i, a, b: (i + 1, a * b, b * b),
        [0, m, m + 1.0],
        name="doubles",
    )
    fetches += [tf.gradients(doubles[1], [m]), tf.gradients(tf.reduce_sum(doubles[2]), [m])]
    facts["ints"] = str(
        tf.gradients(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [more]), [more])
    )
    facts["apart"] = str(tf.gradients(a, [m]))
    fetches.append(tf.gradients(a, [m, u], unconnected_gradients=tf.UnconnectedGradients.ZERO))
    single = tf.while_loop(
        lambda a: tf.reduce_sum(a) < 50.0, lambda a: a * a + x, [x], name="single"
    )
    fetches.append(tf.gradients(single, [x]))
    found = [[g for g in grads if g is not None] for grads in fetches]
    facts["none"] = [[g is None for g in grads] for grads in fetches]
    feed = {x: [1.5, -2.0], u: [0.5, 2.0], m: [[0.5, 1.0], [1.5, -1.0]]}
    steps = [(str(i), fetch, feed) for i, fetch in enumerate(found)]
    return {"steps": steps, "facts": facts}
