"""static_rnn: cells, initial states, scopes, nested inputs and states, names, cached variables."""

import numpy as np


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
    steps = tf.unstack(x, axis=1)
    plain, last = tf.nn.static_rnn(cells.BasicRNNCell(3), steps, dtype=tf.float32)
    lstm = cells.BasicLSTMCell(2)
    zeros = lstm.zero_state(2, tf.float32)
    outputs, state = tf.nn.static_rnn(lstm, steps, initial_state=zeros, scope="lstm")
    with tf.variable_scope("lstm", reuse=True):
        again, _ = tf.nn.static_rnn(lstm, steps[:1], zeros, scope=tf.get_variable_scope())
    stacked = cells.MultiRNNCell([cells.GRUCell(2), cells.LSTMCell(3, num_proj=2)])
    with tf.variable_scope("outer", initializer=tf.constant_initializer(0.1)):
        deep, deep_state = tf.nn.static_rnn(stacked, steps, dtype=tf.float32, scope="inner")
    unknown = tf.placeholder(tf.float32, [None, 4], name="unknown")
    with tf.variable_scope("named") as scope:
        scope.set_caching_device("/cpu:0")
        named, _ = tf.nn.static_rnn(
            cells.GRUCell(2), [unknown, unknown], dtype=tf.float32, scope=scope
        )
    with tf.device("/cpu:0"):
        placed, _ = tf.nn.static_rnn(
            cells.BasicRNNCell(2, activation=tf.nn.relu),
            steps[:2],
            dtype=tf.float32,
            scope="placed",
        )
    loss = tf.add_n([tf.reduce_sum(t) for t in (*outputs, *deep, deep_state[0])])
    gradients = tf.gradients(loss, tf.trainable_variables())
    facts = {
        "scope": scope.name,
        "variables": [v.name for v in tf.global_variables()],
        "kinds": [type(t).__name__ for t in (plain, state, deep_state, deep_state[1])],
        "shapes": [str(t.shape) for t in (plain[0], last, named[1], deep[0], again[0])],
        "none": [g is None for g in gradients],
    }
    values = np.linspace(-1, 1, 24).reshape(2, 3, 4).astype(np.float32)
    fetches = [plain, last, outputs, state, again, deep, deep_state, placed]
    return {
        "facts": facts,
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("outputs", fetches, {x: values}),
            ("gradients", [g for g in gradients if g is not None], {x: values}),
            ("named", named, {unknown: values[0]}),
        ],
    }
