"""Bidirectional GRUs, unrolled and in loops; momentum."""

import numpy as np

FEEDS = {"x": np.sin(np.arange(24)).reshape(2, 4, 3).tolist(), "lengths": [4, 2]}


def build(tf):
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    lengths = tf.placeholder(tf.int64, [None], name="lengths")
    cells = [tf.nn.rnn_cell.GRUCell(3) for _ in range(4)]
    loop, states = tf.nn.bidirectional_dynamic_rnn(cells[0], cells[1], x, lengths, dtype=tf.float32)
    steps = tf.unstack(tf.concat(loop, 2), axis=1)
    outputs, _, _ = tf.nn.static_bidirectional_rnn(
        cells[2], cells[3], steps, dtype=tf.float32, sequence_length=lengths, scope="upper"
    )
    joined = tf.stack(outputs, 1)
    loss = tf.reduce_mean(tf.square(joined[:, :, :3] - x), name="loss")
    train = tf.train.MomentumOptimizer(0.1, 0.5).minimize(loss)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"joined": joined, "backward": states[1]},
    }
