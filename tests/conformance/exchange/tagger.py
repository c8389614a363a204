"""A tagger: bidirectional LSTMs and a CRF over their outputs, decoded by Viterbi's algorithm."""

import numpy as np

RANDOM = np.random.RandomState(2)
FEEDS = {
    "words": RANDOM.randint(0, 9, (4, 6)).tolist(),
    "tags": RANDOM.randint(0, 3, (4, 6)).tolist(),
    "lengths": [6, 1, 4, 5],
}


def build(tf):
    words = tf.placeholder(tf.int32, [None, None], name="words")
    tags = tf.placeholder(tf.int32, [None, None], name="tags")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    table = tf.get_variable("table", [9, 4])
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(
        tf.nn.rnn_cell.LSTMCell(3),
        tf.nn.rnn_cell.LSTMCell(3),
        tf.nn.embedding_lookup(table, words),
        lengths,
        dtype=tf.float32,
    )
    scores = tf.layers.dense(tf.concat(outputs, -1), 3, name="scores")
    likelihood, transitions = tf.contrib.crf.crf_log_likelihood(scores, tags, lengths)
    loss = tf.reduce_mean(-likelihood, name="loss")
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    decoded, best = tf.contrib.crf.crf_decode(scores, transitions, lengths)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"tags": decoded, "scores": best},
    }
