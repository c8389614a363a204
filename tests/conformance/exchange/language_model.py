"""A dynamic two-layer LSTM over sentences of several lengths, clipped by the global norm."""

import numpy as np

FEEDS = {"words": (np.arange(18).reshape(3, 6) * 5 % 7).tolist(), "lengths": [5, 2, 4]}


def build(tf):
    words = tf.placeholder(tf.int32, [None, None], name="words")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    table = tf.get_variable("table", [7, 4])
    inputs = tf.nn.embedding_lookup(table, words[:, :-1])
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.LSTMCell(size) for size in (5, 3)])
    outputs, last = tf.nn.dynamic_rnn(cell, inputs, lengths, dtype=tf.float32, swap_memory=True)
    logits = tf.layers.dense(outputs, 7, name="logits")
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words[:, 1:], logits=logits)
    mask = tf.sequence_mask(lengths, tf.shape(words)[1] - 1, tf.float32)
    loss = tf.divide(tf.reduce_sum(losses * mask), tf.reduce_sum(mask), name="loss")
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 0.5)
    train = tf.train.AdamOptimizer(0.05).apply_gradients(zip(gradients, variables))
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"scores": logits, "c": last[0].c, "h": last[1].h},
    }
