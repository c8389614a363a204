"""Functions with effects: variables made and changed in them, random numbers, Python functions, what waits for them."""

import numpy as np

from tests.support.models.function_graphs import defun_of

TOLERANCE = 1e-5
REPLAYABLE = False


def build(tf):
    Defun = defun_of(tf).Defun
    heard = []

    def note(tag):
        def hear(x):
            heard.append(tag)
            return x

        return hear

    total = tf.get_variable("total", [], initializer=tf.zeros_initializer(), use_resource=True)
    handle = total

    @Defun(tf.float32)
    def made(x):
        with tf.variable_scope("inside"):
            w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        v = tf.Variable(5.0, name="v")
        return w * x + v

    @Defun(tf.float32)
    def added(x):
        with tf.control_dependencies([handle.assign_add(x)]):
            return handle.read_value() * 1.0

    @Defun(tf.float32)
    def drawn(x):
        tf.set_random_seed(11)
        return (
            x + tf.random_uniform([2]),
            tf.random_normal([2], seed=4),
            tf.random_shuffle(tf.range(5), seed=3),
        )

    # A py_func's number would be in a name made of the body.
    @Defun(tf.float32, func_name="heard_of")
    def heard_of(x):
        tf.py_func(note("nobody asks"), [x], tf.float32)
        y = tf.py_func(note("asked"), [x], tf.float32)
        return tf.identity(x), tf.reshape(y, [])

    @Defun(tf.float32)
    def checked(x):
        with tf.control_dependencies([tf.Assert(x > 0.0, [x])]):
            return tf.sqrt(x)

    with tf.variable_scope("outer"):
        results = made(tf.constant(2.0)), made(tf.constant(3.0))
    before = tf.py_func(note("before"), [tf.constant(1.0)], tf.float32)
    with tf.control_dependencies([before]):
        waiting = heard_of(tf.constant(4.0), name="waiting")
    with tf.control_dependencies([waiting[0].op]):
        after = tf.py_func(note("after"), [tf.constant(1.0)], tf.float32)
    sums = added(tf.constant(1.5))
    more = added(sums)
    random = drawn(tf.constant(1.0))

    def heard_in(fetch):
        def run(session):
            del heard[:]
            session.run(fetch)
            return sorted(heard)

        return run

    return {
        "steps": [
            ("initialize", tf.global_variables_initializer(), None),
            ("made", results, None),
            ("added", sums, None),
            ("added twice", more, None),
            ("total", total, None),
            ("drawn", random, None),
            ("drawn again", random, None),
            ("heard", heard_in(after)),
            ("heard for one result", heard_in(waiting[0])),
            ("checked", checked(tf.constant(9.0)), None),
        ],
        "facts": {
            "variables": [v.name for v in tf.global_variables()],
            "trainable": [v.name for v in tf.trainable_variables()],
            "captured": [t.name for t in added.captured_inputs],
            "stateful": drawn.stateful_ops + added.stateful_ops,
            "kind": str(np.float32(1).dtype),
        },
    }
