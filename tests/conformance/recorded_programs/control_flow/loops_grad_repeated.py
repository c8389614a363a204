"""Gradients of loops that contain gradients of other loops, which stop there; repeated gradients of one loop."""


def build(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    w = tf.constant([0.5, -0.8], name="w")

    def outer(i, a):
        def inner(j, b):
            return j + 1, tf.sin(b) * w + a

        out = tf.while_loop(lambda j, b: j < 2, inner, [0, a], name="inner")[1]
        (grad,) = tf.gradients(out, [a])
        return i + 1, out - 0.1 * tf.stop_gradient(grad)

    loop = tf.while_loop(lambda i, a: i < 3, outer, [0, x], name="outer")[1]
    fetches = [[loop], tf.gradients(loop, [x, w], name="of_outer")]

    def simple(i, a):
        return i + 1, tf.cond(i > 0, lambda: a * x, lambda: tf.cos(a))

    plain = tf.while_loop(lambda i, a: i < 3, simple, [0, x], name="plain")[1]
    (first,) = tf.gradients(plain, [x], name="first")
    fetches.append(tf.gradients(plain * 2.0, [x], name="second"))
    fetches.append(tf.gradients(plain * tf.stop_gradient(first), [x], name="third"))

    def with_gradient(i, a):
        return i + 1, a * first

    used = tf.while_loop(lambda i, a: i < 2, with_gradient, [0, w], name="used")[1]
    fetches += [[used], tf.gradients(used, [w], name="of_used")]

    def stepping(i, a):
        loss = tf.while_loop(
            lambda j, b: j < i, lambda j, b: (j + 1, b * a), [0, a], name="powers"
        )[1]
        step = tf.gradients(tf.reduce_sum(loss), [a], name="step")[0]
        return i + 1, tf.clip_by_value(a - 0.01 * step, -2.0, 2.0)

    stepped = tf.while_loop(lambda i, a: i < 4, stepping, [0, x], name="stepped")[1]
    fetches.append([stepped])
    feed = {x: [0.7, -1.1]}
    return {"steps": [(str(i), fetch, feed) for i, fetch in enumerate(fetches)]}
