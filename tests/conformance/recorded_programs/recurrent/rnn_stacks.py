"""stack_bidirectional_rnn and stack_bidirectional_dynamic_rnn: layers, states, lengths, gradients."""

import numpy as np


def build(tf):
    cells = tf.nn.rnn_cell
    contrib = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [2, 3, 2], name="x")
    steps = tf.unstack(x, axis=1)
    static = contrib.stack_bidirectional_rnn(
        [cells.BasicRNNCell(2), cells.GRUCell(2)],
        [cells.GRUCell(1), cells.BasicRNNCell(2)],
        steps,
        dtype=tf.float32,
        sequence_length=[3, 2],
    )
    states = [cells.LSTMCell(2).zero_state(2, tf.float32), tf.ones([2, 3])]
    loop = contrib.stack_bidirectional_dynamic_rnn(
        [cells.LSTMCell(2), cells.BasicRNNCell(3)],
        [cells.GRUCell(2), cells.GRUCell(2)],
        x,
        initial_states_fw=states,
        dtype=tf.float32,
        sequence_length=tf.constant([1, 3]),
        parallel_iterations=5,
        scope="loop",
    )
    with tf.variable_scope("outer"):
        major = contrib.stack_bidirectional_dynamic_rnn(
            [cells.GRUCell(2)],
            [cells.GRUCell(2)],
            x,
            dtype=tf.float32,
            time_major=True,
            swap_memory=True,
        )
    same = contrib.static_rnn(cells.GRUCell(2), steps, dtype=tf.float32, scope="same")
    transposed = contrib.transpose_batch_time(x)
    size = contrib.best_effort_input_batch_size([tf.placeholder(tf.float32), transposed])
    loss = tf.reduce_sum(static[0][-1]) + tf.reduce_sum(tf.square(loop[0]) * major[0][:, :, :1])
    gradients = tf.gradients(loss, [v for v in tf.trainable_variables() if "same" not in v.name])
    feed = {x: np.sin(np.arange(12, dtype=np.float32)).reshape(2, 3, 2)}
    return {
        "facts": {
            "variables": [v.name for v in tf.trainable_variables()],
            "shapes": [str(t.shape) for t in (static[0][0], loop[0], major[0], transposed)],
            "kinds": [
                type(t).__name__ for t in (static, static[0], static[1], loop[1], loop[1][0])
            ],
            "size": size,
        },
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("outputs", [static, loop, major, same, transposed], feed),
            ("gradients", [loss, gradients], feed),
        ],
    }
