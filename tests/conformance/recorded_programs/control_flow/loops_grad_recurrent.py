"""Gradients of a recurrence: initial value, captured weights; zero iterations; while_loop options."""

import numpy as np

TOLERANCE = 5e-5  # float32; the maximum difference was below 1e-5


def build(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    n = tf.placeholder(tf.int32, [], name="n")
    rng = np.random.RandomState(0)
    w = tf.Variable(rng.randn(3, 3).astype("f") * 0.5, name="w")
    b = tf.get_variable("b", initializer=rng.randn(3).astype("f"), use_resource=True)
    scale = tf.constant(0.5, name="scale")

    def recurrence(**settings):
        def body(i, h):
            return [i + 1, tf.tanh(tf.matmul(h, w) + b) * scale + h]

        return tf.while_loop(lambda i, h: i < n, body, [0, x], **settings)[1]

    plain = recurrence()
    facts = {"plain": [str(g) for g in tf.gradients(plain, [x, w, b, scale, n])]}
    fetches = [tf.gradients(plain, [x, w, b, scale])]
    swapped = recurrence(swap_memory=True, parallel_iterations=1, name="swapped")
    fetches.append(tf.gradients(swapped, [w, x], name="of_swapped"))
    bounded = recurrence(maximum_iterations=3, parallel_iterations=32, name="bounded")
    fetches.append(tf.gradients(tf.reduce_sum(bounded**2), [w, b], name="of_bounded"))
    once = recurrence(maximum_iterations=tf.minimum(n, 2), name="dynamic_bound")
    fetches.append(tf.gradients(once, [scale], grad_ys=[tf.ones_like(once) * 2.0]))
    stopped = recurrence(back_prop=False, name="stopped")
    facts["stopped"] = [str(g) for g in tf.gradients(stopped, [x, w, b])]
    both = tf.gradients([plain, stopped + x], [x, w])
    fetches.append(both)
    facts["contexts"] = [str(c.to_proto()) for c in tf.get_collection("while_context")]
    steps = [("init", tf.global_variables_initializer())]
    rows = rng.randn(2, 3).astype("f")
    for count in (0, 1, 5):
        steps.append((f"n={count}", fetches, {x: rows, n: count}))
    return {"steps": steps, "facts": facts}
