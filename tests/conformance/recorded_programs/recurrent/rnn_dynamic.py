"""dynamic_rnn: lengths, time-major, static and unknown sizes, dtypes, states, loop settings, names."""

import numpy as np


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [None, None, 2], name="x")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    plain = tf.nn.dynamic_rnn(cells.BasicRNNCell(3), x, dtype=tf.float32)
    bounded = tf.nn.dynamic_rnn(cells.LSTMCell(2), x, lengths, dtype=tf.float32, scope="bounded")
    fixed = tf.constant(np.arange(12, dtype=np.float64).reshape(2, 3, 2) / 6)
    major = tf.nn.dynamic_rnn(
        cells.GRUCell(2),
        fixed,
        sequence_length=[2, 1, 0],
        initial_state=tf.ones([3, 2], tf.float64),
        parallel_iterations=7,
        swap_memory=True,
        time_major=True,
        scope="major",
    )
    stacked = cells.MultiRNNCell([cells.BasicLSTMCell(2), cells.GRUCell(3)])
    with tf.variable_scope("outer"), tf.control_dependencies([tf.identity(lengths)]):
        deep = tf.nn.dynamic_rnn(stacked, x, dtype=tf.float32)
    with tf.variable_scope("bounded", reuse=True) as scope:
        shared = tf.nn.dynamic_rnn(cells.LSTMCell(2), x[:, ::-1], dtype=tf.float32, scope=scope)
    unbatched = tf.placeholder(tf.float32, [4, None, 2], name="unbatched")
    steps = tf.nn.dynamic_rnn(
        cells.LSTMCell(4, num_proj=1), unbatched, lengths, dtype=tf.float32, scope="steps"
    )
    with tf.device("/cpu:0"):
        placed = tf.nn.dynamic_rnn(cells.BasicRNNCell(1), x, dtype=tf.float32, scope="placed")
    results = (plain, bounded, major, deep, shared, steps, placed)
    facts = {
        "outputs": [f"{r[0].name} {r[0].shape}" for r in results],
        "states": [[f"{t.name} {t.shape}" for t in nested(tf, r[1])] for r in results],
        "variables": [v.name for v in tf.global_variables()],
        "contexts": [c.name for c in tf.get_collection("while_context")],
        "settings": [
            (c.parallel_iterations, c.swap_memory) for c in tf.get_collection("while_context")
        ],
    }
    values = np.sin(np.arange(24, dtype=np.float32)).reshape(4, 3, 2)
    fetches = [plain, bounded, deep, shared, steps, placed]
    return {
        "facts": facts,
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("fixed", major),
            ("four", fetches, {x: values, unbatched: values, lengths: [3, 1, 2, 0]}),
            ("short", fetches, {x: values[:, :2], unbatched: values[:, :2], lengths: [1] * 4}),
            ("none", bounded, {x: values, lengths: [0] * 4}),
            ("no steps", plain[1], {x: values[:, :0]}),
        ],
    }


def nested(tf, structure):
    return tf.nest.flatten(structure)
