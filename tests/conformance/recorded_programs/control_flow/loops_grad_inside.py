"""tf.gradients called in a loop body or in a branch inside one, and gradients of such loops."""


def build(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    w = tf.constant([0.5, -1.0, 2.0], name="w")

    def descend(i, a):
        loss = tf.reduce_sum(tf.square(a * w - x)) + tf.reduce_sum(tf.sin(a))
        (grad,) = tf.gradients(loss, [a])
        return i + 1, a - 0.1 * grad

    descent = tf.while_loop(lambda i, a: i < 5, descend, [0, x], name="descent")[1]
    fetches = [descent] + tf.gradients(descent, [x, w], name="of_descent")

    def in_branch(i, a):
        def step():
            return a - 0.1 * tf.gradients(tf.reduce_sum(a * a * w), [a])[0]

        return i + 1, tf.cond(i > 0, step, lambda: a * 2.0)

    branch = tf.while_loop(lambda i, a: i < 3, in_branch, [0, x], name="branch")[1]
    fetches += [branch] + tf.gradients(branch, [x, w], name="of_branch")

    def inner_loop(i, a):
        b = tf.while_loop(
            lambda j, b: j < 2, lambda j, b: (j + 1, b * a + w), [0, a], name="inner"
        )[1]
        (grad,) = tf.gradients(b, [a])
        return i + 1, a - 0.05 * grad

    stepped = tf.while_loop(lambda i, a: i < 3, inner_loop, [0, x], name="stepped")[1]
    fetches.append(stepped)

    def captured(i, a):
        return i + 1, a + tf.gradients(tf.square(x) * tf.stop_gradient(a), [x])[0]

    outside = tf.while_loop(lambda i, a: i < 3, captured, [0, w], name="outside")[1]
    fetches.append(outside)
    in_cond = tf.cond(
        tf.reduce_sum(x) > 0.0,
        lambda: tf.gradients(tf.reduce_sum(descent), [x])[0],
        lambda: tf.gradients(tf.reduce_sum(x * w), [x])[0],
        name="in_cond",
    )
    fetches.append(in_cond)
    steps = [(str(i), fetch, {x: [0.3, 1.0, -0.5]}) for i, fetch in enumerate(fetches)]
    return {"steps": steps + [("negative", in_cond, {x: [-0.3, -1.0, 0.5]})]}
