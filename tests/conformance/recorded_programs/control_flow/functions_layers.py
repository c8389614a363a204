"""Layers, recurrent networks, dropout and optimizers around functions; variables shared by functions."""

import numpy as np

from tests.support.models.function_graphs import defun_module


def build(tf):
    Defun = defun_module(tf).Defun
    rows = tf.placeholder_with_default(
        np.arange(6, dtype="f").reshape(2, 3) / 5, [2, 3], name="rows"
    )
    start = tf.constant_initializer(0.25)

    @Defun(tf.float32, func_name="Hidden")
    def hidden(x):
        x.set_shape([None, 3])
        return tf.layers.dense(x, 4, tf.tanh, kernel_initializer=start, name="hidden")

    @Defun(tf.float32, func_name="Steps")
    def steps(x):
        x.set_shape([2, 3, 4])
        w = tf.get_variable("steps/w", [4, 4], initializer=start)
        state = tf.zeros([2, 4])
        for step in tf.unstack(x, axis=1):
            state = tf.tanh(tf.matmul(step, w) + state)
        return state, tf.nn.dropout(state, rate=0.5, seed=3)

    with tf.variable_scope("net") as scope:
        first = hidden(rows)
    with tf.variable_scope(scope, reuse=True):
        again = hidden(rows * 2.0)
    stacked = tf.stack([first, again, first * again], axis=1)
    last, dropped = steps(stacked)
    loss = tf.reduce_sum(tf.square(last)) + tf.reduce_mean(first)
    train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
    names = [v.name for v in tf.global_variables()]
    fetches = [(f"train {number}", [loss, train], None) for number in range(3)]
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer(), None),
            ("values", [first, again, last], None),
            ("dropped", dropped, None),
            *fetches,
            ("variables", tf.trainable_variables(), None),
        ],
        "facts": {
            "variables": names,
            "captured": [t.name for t in (*hidden.captured_inputs, *steps.captured_inputs)],
            "losses": [t.name for t in tf.get_collection("losses")],
        },
    }
