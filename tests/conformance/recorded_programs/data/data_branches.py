"""tf.data: conditions, asserts and loops in mapped functions: library functions called by If and While."""

import numpy as np

from tests.conformance.recorded_programs.data.data_basic import read_all


def build(tf):
    D = tf.data.Dataset
    numbers = D.range(6)
    factor = tf.constant(3, tf.int64, name="factor")

    def doubled(x):
        return tf.cond(x > 2, lambda: x * 2, lambda: x + factor, name="choice")

    def several(x):
        y = tf.cast(x, tf.float32)
        found = tf.cond(
            tf.equal(x % 2, 0),
            lambda: {"a": y * 2.0, "b": (x, tf.constant("even"))},
            lambda: {"a": tf.sqrt(y), "b": (x + 1, tf.constant("odd"))},
        )
        return found["a"], found["b"]

    def inside(x):
        return tf.cond(
            x > 1,
            lambda: tf.cond(x > 3, lambda: x * factor, lambda: -x),
            lambda: tf.constant(7, tf.int64),
        )

    def chosen(x):
        return tf.case(
            [(x > 3, lambda: x), (x > 1, lambda: -x)], default=lambda: tf.constant(7, tf.int64)
        )

    def checked(x):
        with tf.control_dependencies([tf.Assert(x < 10, ["too large", x])]):
            return tf.identity(x)

    def compared(x):
        with tf.control_dependencies([tf.assert_less(x, factor * 9, message="no")]):
            return x + 1

    def power(x):
        return tf.while_loop(
            lambda i, a: i < x,
            lambda i, a: (i + 1, a * factor),
            [tf.constant(0, tf.int64), tf.constant(1, tf.int64)],
        )

    def grown(x):
        return tf.while_loop(
            lambda v: tf.size(v) < 4,
            lambda v: tf.concat([v, [x]], 0),
            [tf.expand_dims(x, 0)],
            shape_invariants=[tf.TensorShape([None])],
        )

    def limited(x):
        return tf.while_loop(
            lambda i: True, lambda i: i + x, [x], maximum_iterations=3, name="some"
        )

    def noisy(x):
        value = tf.cond(x > 2, lambda: tf.py_func(lambda v: v * 10, [x], tf.int64), lambda: x)
        value.set_shape([])
        return value

    def random(x):
        return tf.cond(
            x > 2,
            lambda: tf.random_uniform([], maxval=100, dtype=tf.int32, seed=4),
            lambda: tf.constant(-1),
        )

    functions = (
        doubled,
        several,
        inside,
        chosen,
        checked,
        compared,
        power,
        grown,
        limited,
        noisy,
        random,
    )
    datasets = [numbers.map(function) for function in functions]
    datasets += [
        numbers.filter(lambda x: tf.cond(x > 2, lambda: True, lambda: tf.equal(x, 0))),
        numbers.map(lambda x: tf.cond(x > 2, lambda: x, lambda: -x), num_parallel_calls=2).batch(4),
        numbers.flat_map(lambda x: D.range(tf.cond(x > 2, lambda: x, lambda: factor))),
        numbers.map(
            lambda x: D.range(2).reduce(x, lambda a, b: tf.cond(a > 2, lambda: a, lambda: b))
        ),
    ]
    total = numbers.reduce(np.int64(0), lambda s, x: tf.cond(x > 3, lambda: s + x, lambda: s))
    return {"steps": [*read_all(tf, datasets), ("total", total, None)]}
