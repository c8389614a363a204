"""Bidirectional RNNs, unrolled and in loops, with and without lengths, time-major; their gradients."""

import numpy as np


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [None, 3, 2], name="x")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    steps = tf.unstack(x, axis=1)
    static = tf.nn.static_bidirectional_rnn(
        cells.BasicRNNCell(2), cells.GRUCell(3), steps, dtype=tf.float32
    )
    ended = tf.nn.static_bidirectional_rnn(
        cells.BasicLSTMCell(2),
        cells.BasicLSTMCell(2),
        steps,
        dtype=tf.float32,
        sequence_length=lengths,
        scope="ended",
    )
    loop = tf.nn.bidirectional_dynamic_rnn(
        cells.LSTMCell(2), cells.GRUCell(3), x, dtype=tf.float32, scope="loop"
    )
    bounded = tf.nn.bidirectional_dynamic_rnn(
        cells.GRUCell(2),
        cells.BasicRNNCell(3),
        tf.transpose(x, [1, 0, 2]),
        tf.cast(lengths, tf.int64),
        initial_state_fw=tf.ones([tf.shape(x)[0], 2]),
        dtype=tf.float32,
        parallel_iterations=4,
        swap_memory=True,
        time_major=True,
        scope="bounded",
    )
    joined = tf.concat(bounded[0], 2)
    loss = tf.add_n([tf.reduce_sum(t * t) for t in (*static[0], *ended[0], *loop[0], joined)])
    gradients = tf.gradients(loss, tf.trainable_variables())
    values = np.sin(np.arange(12, dtype=np.float32)).reshape(2, 3, 2)
    fetches = [static, ended, loop, bounded, joined, loss, gradients]
    return {
        "facts": {
            "variables": [v.name for v in tf.trainable_variables()],
            "shapes": [str(t.shape) for t in (static[0][0], loop[0][0], joined, loop[1][0].h)],
        },
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("lengths 3 1", fetches, {x: values, lengths: [3, 1]}),
            ("lengths 2 3", fetches, {x: values, lengths: [2, 3]}),
        ],
    }
