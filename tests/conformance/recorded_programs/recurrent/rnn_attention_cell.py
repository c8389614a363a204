"""AttentionCellWrapper: tuple and concatenated states, custom sizes, unrolled, trained."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    rnn = tf.contrib.rnn
    rng = np.random.RandomState(4)
    x = tf.placeholder(tf.float32, [2, 5, 3], name="x")
    steps = tf.unstack(x, axis=1)
    with tf.variable_scope("tuple"):
        cell = rnn.AttentionCellWrapper(tf.nn.rnn_cell.BasicLSTMCell(4), 3)
        outputs, state = tf.nn.static_rnn(cell, steps, dtype=tf.float32)
    with tf.variable_scope("beside"):
        inner = tf.nn.rnn_cell.GRUCell(4)
        beside = rnn.AttentionCellWrapper(inner, 2, 6, 5, 7, state_is_tuple=False)
        others, last = tf.nn.static_rnn(beside, steps, dtype=tf.float32)
    with tf.variable_scope("along"):
        two = [rnn.AttentionCellWrapper(tf.nn.rnn_cell.LSTMCell(4), 2) for _ in range(2)]
        stacked = tf.nn.rnn_cell.MultiRNNCell(two)
        whole, final = tf.nn.dynamic_rnn(stacked, x, [5, 3], dtype=tf.float32)
    again = rnn.AttentionCellWrapper(tf.nn.rnn_cell.GRUCell(3), 2, reuse=None)
    with tf.variable_scope("scoped"):
        one = again(steps[0], again.zero_state(2, tf.float32), scope="here")
    loss = tf.reduce_sum(tf.square(outputs[-1])) + tf.reduce_sum(tf.square(others[-1]))
    loss += tf.reduce_mean(tf.square(whole))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    feed = {x: rng.randn(2, 5, 3)}
    found = [outputs, state, others, last, whole, final, one]
    return {
        "facts": {
            "sizes": [str(c.state_size) for c in (cell, beside, stacked)],
            "outputs": [c.output_size for c in (cell, beside, stacked)],
            "weights": [[v.name for v in c.weights] for c in (cell, beside, stacked, again)],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("outputs", found, feed),
            ("train", train, feed),
            ("loss", loss, feed),
            ("weights", tf.trainable_variables()),
        ],
    }
