"""A recurrent network over sequences of different lengths, unrolled by a control flow v2 loop."""

import numpy as np

from tests.support.models import second_control_flow

FEEDS = {"x": np.sin(np.arange(2 * 5 * 3).reshape(2, 5, 3)).astype("f").tolist(), "lengths": [5, 3]}


def build(tf):
    x = tf.placeholder(tf.float32, [None, 5, 3], name="x")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    start = tf.constant_initializer(np.cos(np.arange(7 * 16)).reshape(7, 16) * 0.3)
    with second_control_flow.control_flow_v2(tf):
        with tf.variable_scope("net", initializer=start):
            cell = tf.nn.rnn_cell.LSTMCell(4, initializer=start)
            out, state = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)
        loss = tf.reduce_mean(tf.square(out - 0.2)) + tf.reduce_sum(tf.square(state.c))
        train = tf.train.AdamOptimizer(0.05).minimize(loss)
    outputs = {"out": tf.identity(out, name="out"), "c": tf.identity(state.c, name="c")}
    return {"train": train, "loss": loss, "feeds": FEEDS, "outputs": outputs}
