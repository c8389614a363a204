"""Python functions called in each iteration."""

import numpy as np

REPLAYABLE = False  # they are functions of the process that built the graph


def build(tf):
    called = tf.while_loop(
        lambda i, a: i < 3,
        lambda i, a: (i + 1, tf.ensure_shape(tf.py_func(lambda v: -v, [a], tf.float32), [2])),
        (0, tf.constant([1.0, -2.0])),
    )
    asked = tf.while_loop(
        lambda i: tf.ensure_shape(tf.py_func(lambda v: np.bool_(v < 4), [i], tf.bool), []),
        lambda i: i + 1,
        [tf.constant(0)],
    )
    return {"steps": [("called", called), ("asked", asked)]}
