"""Cells: single-op, normalized, with partitioned projections, stacked, fused over all steps."""

import numpy as np

PACKAGES = ["rnn"]
FEEDS = {"x": np.sin(np.arange(24)).reshape(2, 4, 3).tolist(), "keep": 1.0}


def build(tf):
    rnn = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    keep = tf.placeholder(tf.float32, [], name="keep")
    stack = tf.nn.rnn_cell.MultiRNNCell(
        [
            tf.nn.rnn_cell.LSTMCell(4, use_peepholes=True, num_proj=3, num_unit_shards=2),
            tf.nn.rnn_cell.ResidualWrapper(rnn.GRUBlockCellV2(3)),
            rnn.LayerNormBasicLSTMCell(3, dropout_keep_prob=keep, dropout_prob_seed=1),
        ]
    )
    stack = tf.nn.rnn_cell.DropoutWrapper(stack, output_keep_prob=keep, seed=2)
    lower, states = tf.nn.dynamic_rnn(stack, x, dtype=tf.float32)
    steps = tf.unstack(lower, axis=1)
    middle, _ = tf.nn.static_rnn(rnn.LSTMBlockCell(3), steps, dtype=tf.float32, scope="middle")
    with tf.variable_scope("upper"):
        upper, last = rnn.LSTMBlockFusedCell(3)(tf.stack(middle), dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(upper - tf.transpose(x, [1, 0, 2])), name="loss")
    train = tf.train.MomentumOptimizer(0.1, 0.5).minimize(loss)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"upper": upper, "memory": states[0].c, "last": last.h},
    }
