"""A transcriber: a recurrent network over frames, trained with the CTC loss, decoded by beam search."""

import numpy as np

RANDOM = np.random.RandomState(4)
FEEDS = {
    "frames": RANDOM.randn(3, 8, 4).round(3).tolist(),
    "lengths": [8, 5, 7],
    "places": [[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1]],
    "letters": [0, 1, 1, 2, 0, 2],
}


def build(tf):
    frames = tf.placeholder(tf.float32, [None, None, 4], name="frames")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    places = tf.placeholder(tf.int64, [None, 2], name="places")
    letters = tf.placeholder(tf.int32, [None], name="letters")
    labels = tf.SparseTensor(places, letters, [3, 3])
    ones = tf.ones_initializer()  # starting at 0 would leave only rounding
    cell = tf.nn.rnn_cell.GRUCell(5, bias_initializer=ones)
    outputs, _ = tf.nn.dynamic_rnn(cell, frames, lengths, dtype=tf.float32)
    logits = tf.layers.dense(outputs, 4, bias_initializer=ones, name="letter_logits")
    losses = tf.nn.ctc_loss(labels, logits, lengths, time_major=False)
    loss = tf.reduce_mean(losses, name="loss")
    train = tf.train.MomentumOptimizer(0.03, 0.9).minimize(loss)
    by_time = tf.transpose(logits, [1, 0, 2])
    decoded, scores = tf.nn.ctc_beam_search_decoder(by_time, lengths, 10, 2, False)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"first": tf.sparse.to_dense(decoded[0], -1), "scores": scores},
    }
