"""scan, foldl and foldr: with and without an initial value, reversed, over structures."""

import numpy as np

X = np.array([[0.5, -1.0], [2.0, 0.25], [1.0, 1.0]])


def build(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    loose = tf.placeholder(tf.float32, None, name="loose")
    known = tf.constant([1, 2, 3, 4])
    sums = tf.scan(lambda a, v: a + v, known)
    back = tf.scan(lambda a, v: a * 2 + v, known, reverse=True, name="back")
    begun = tf.scan(lambda a, r: a + tf.reduce_sum(r), x, initializer=tf.constant(10.0))
    begun_back = tf.scan(lambda a, r: a - r, x, np.zeros(2, "f"), reverse=True, infer_shape=False)
    fibonacci = tf.scan(
        lambda a, _: (a[1], a[0] + a[1]), known, initializer=(np.array(0), np.array(1))
    )
    several = tf.scan(
        lambda a, v: {"s": a["s"] + v["s"], "p": [a["p"][0] * v["p"][0]]},
        {"s": x, "p": [x + 1.0]},
        parallel_iterations=2,
        back_prop=False,
        name="several",
    )
    dynamic = tf.scan(lambda a, v: a + v, loose)
    left = tf.foldl(lambda a, v: 2 * a + v, known)
    left_begun = tf.foldl(lambda a, r: a + r, x, initializer=tf.zeros([2]), name="left")
    right = tf.foldr(lambda a, v: 2 * a + v, known)
    right_begun = tf.foldr(lambda a, r: a * 0.5 + r, x, initializer=tf.constant([1.0, 2.0]))
    both = tf.foldl(
        lambda a, v: (a[0] + v[0], a[1] * v[1]), (x, x + 1.0), initializer=(x[0], x[1]), name="both"
    )
    right_both = tf.foldr(lambda a, v: [a[0] + v[0], a[1] - v[1]], [x, x * 2.0], back_prop=False)

    def with_variable(a, r):
        with tf.variable_scope("step", reuse=tf.AUTO_REUSE):
            return a * tf.get_variable("w", initializer=lambda: tf.constant(0.5)) + r

    weighed = [tf.scan(with_variable, x), tf.foldl(with_variable, x), tf.foldr(with_variable, x)]
    facts = {
        "shapes": [
            str(t.shape) for t in (sums, back, begun, begun_back, dynamic, left, left_begun)
        ],
        "several": [sorted(several), str(several["s"].shape)],
        "types": [type(t).__name__ for t in (fibonacci, both, right_both, right_begun)],
    }
    steps = [
        ("init", tf.global_variables_initializer()),
        ("sums", [sums, back, fibonacci, left, right]),
        ("rows", [begun, begun_back, several["s"], several["p"]], {x: X}),
        ("folds", [left_begun, right_begun, both, right_both], {x: X}),
        ("dynamic", dynamic, {loose: [1.0, 2.0, 4.0]}),
        ("weighed", weighed, {x: X}),
        ("no_rows", [begun, left_begun, right_begun], {x: X[:0]}),
    ]
    return {"facts": facts, "steps": steps}
