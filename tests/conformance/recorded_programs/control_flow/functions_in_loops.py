"""Function calls in loops and conditions, loops and conditions in functions, and their gradients."""

from tests.support.models.function_graphs import defun_module


def build(tf):
    Defun = defun_module(tf).Defun
    w = tf.get_variable("w", initializer=[0.9, -0.4, 0.2])
    x = tf.placeholder_with_default([1.0, 2.0, 3.0], [3])

    @Defun(tf.float32)
    def step(v):
        return tf.sin(v) * w + 0.1

    @Defun(tf.float32, tf.int32)
    def powers(v, count):
        def body(i, v):
            return i + 1, tf.cond(tf.equal(i, 1), lambda: v * 2.0, lambda: v * v)

        return tf.while_loop(lambda i, _: i < count, body, (0, v))[1]

    @Defun(tf.float32)
    def halves(v):
        return tf.map_fn(lambda e: e / 2.0, v)

    def shaped(v):
        v.set_shape([3])
        return v

    _, looped = tf.while_loop(lambda i, _: i < 4, lambda i, v: (i + 1, shaped(step(v))), (0, x))
    slopes = tf.gradients(looped, [x, w])
    branch = tf.cond(x[0] > 1.5, lambda: step(x), lambda: step(step(x)))
    of_branch = tf.gradients(branch, [x, w])
    twice = powers(x, 2), powers(x, 3)
    _, nested = tf.while_loop(
        lambda i, _: i < 2, lambda i, v: (i + 1, shaped(powers(v, i + 1)) * 0.5), (0, x)
    )
    return {
        "steps": [
            ("initialize", w.initializer, None),
            ("loop", looped, None),
            ("gradients", slopes, None),
            ("branch", [branch, of_branch], None),
            ("the other", [branch, of_branch], {x: [2.0, 0.5, 0.25]}),
            ("loops in functions", twice, None),
            ("nested", nested, None),
            ("mapped", halves(x), None),
        ]
    }
