"""An unrolled attention model: a tensor decides whether its decoder is fed its previous output."""

import numpy as np

FEEDS = {
    "questions": (np.arange(6).reshape(3, 2) * 3 % 7).tolist(),
    "answers": (np.arange(6).reshape(3, 2) * 2 % 5).tolist(),
}


def build(tf):
    seq2seq = tf.contrib.legacy_seq2seq
    questions = tf.placeholder(tf.int32, [None, 2], name="questions")
    answers = tf.placeholder(tf.int32, [None, 2], name="answers")
    alone = tf.placeholder_with_default(False, [], name="alone")
    read = tf.unstack(questions, axis=1)
    said = tf.unstack(answers, axis=1)
    cell = tf.contrib.rnn.AttentionCellWrapper(tf.nn.rnn_cell.GRUCell(4), 2)
    outputs, state = seq2seq.embedding_attention_seq2seq(
        read, said, cell, 7, 5, 3, feed_previous=alone
    )
    weights = [tf.ones_like(x, dtype=tf.float32) for x in said]
    targets = [*said[1:], tf.zeros_like(said[0])]
    loss = tf.identity(seq2seq.sequence_loss(outputs, targets, weights), name="loss")
    train = tf.train.AdagradOptimizer(0.2).minimize(loss)
    words = tf.argmax(tf.stack(outputs, axis=1), 2)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"words": words, "last": outputs[-1], "memory": state[2]},
    }
