"""Gradients of nested loops: varying iteration counts, shared values, unknown shapes."""

TOLERANCE = 5e-5  # float32; the maximum difference was below 1e-5


def build(tf):
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    u = tf.placeholder(tf.float32, [None, None], name="u")
    w = tf.constant([[0.5, -0.3], [0.2, 0.8]], name="w")
    n = tf.placeholder(tf.int32, [], name="n")

    def nest(start, weights, name):
        def outer(i, a):
            scaled = a * tf.cast(i + 1, tf.float32)

            def inner(j, b):
                return j + 1, tf.tanh(tf.matmul(b, weights)) + scaled

            return i + 1, tf.while_loop(lambda j, b: j < i, inner, [0, a], name="inner")[1]

        return tf.while_loop(lambda i, a: i < n, outer, [0, start], name=name)[1]

    known = nest(x, w, "known")
    unknown = nest(u, u, "unknown")
    fetches = [tf.gradients(known, [x, w]), tf.gradients(unknown, [u])]

    def deepest(i, a):
        def second(j, b):
            def third(k, c):
                return k + 1, c * x + a

            _, c = tf.while_loop(lambda k, c: k < j, third, [0, b * 0.5], parallel_iterations=1)
            return j + 1, c + b

        return i + 1, tf.while_loop(lambda j, b: j < 2, second, [0, a])[1]

    deep = tf.while_loop(lambda i, a: i < 2, deepest, [0, x], name="deep")[1]
    fetches.append(tf.gradients(deep, [x]))

    def partly(i, a, b):
        j, c, d = tf.while_loop(
            lambda j, c, d: j < 2, lambda j, c, d: (j + 1, c * d, d + u), [0, a, b], name="inner"
        )
        return i + j - 1, c, b

    part = tf.while_loop(lambda i, a, b: i < n, partly, [0, u, u * 2.0], name="partly")
    fetches += [tf.gradients(part[1], [u]), tf.gradients(part[2], [u])]

    def replaced(i, a):
        inner = tf.while_loop(
            lambda j, b, c: j < 2, lambda j, b, c: (j + 1, u * 2.0, b + c), [0, a, a], name="inner"
        )
        return i + 1, inner[1] + inner[2]

    again = tf.while_loop(lambda i, a: i < n, replaced, [0, u], name="replaced")[1]
    fetches.append(tf.gradients(again, [u]))
    after = tf.while_loop(
        lambda i, a: i < 2,
        lambda i, a: (i + 1, a * known),
        [0, tf.reduce_sum(unknown)],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)],
        name="after",
    )[1]
    fetches.append(tf.gradients(after, [x, w, u]))
    facts = {"contexts": [str(c.to_proto()) for c in tf.get_collection("while_context")]}
    feed = {x: [[0.5, -1.0], [0.3, 0.7]], u: [[0.2, 0.4], [-0.6, 0.1]]}
    steps = []
    for count in (0, 1, 4):
        feeds = dict(feed)
        feeds[n] = count
        steps += [(f"{i} n={count}", fetch, feeds) for i, fetch in enumerate(fetches)]
    return {"steps": steps, "facts": facts}
