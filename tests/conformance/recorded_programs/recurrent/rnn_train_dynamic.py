"""Training of a dynamic two-layer LSTM language model with lengths, clipped by the global norm."""

import numpy as np


def build(tf):
    words = tf.placeholder(tf.int32, [None, None], name="words")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    table = tf.get_variable("table", [7, 4])
    inputs = tf.nn.embedding_lookup(table, words[:, :-1])
    cells = [tf.nn.rnn_cell.LSTMCell(5, forget_bias=0.5) for _ in range(2)]
    cells = [tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=0.9) for cell in cells]
    cell = tf.nn.rnn_cell.MultiRNNCell(cells)
    start = cell.zero_state(tf.shape(words)[0], tf.float32)
    outputs, last = tf.nn.dynamic_rnn(cell, inputs, lengths, initial_state=start, swap_memory=True)
    logits = tf.tensordot(outputs, tf.get_variable("out", [5, 7]), 1)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words[:, 1:], logits=logits)
    mask = tf.sequence_mask(lengths, tf.shape(words)[1] - 1, tf.float32)
    loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
    variables = tf.trainable_variables()
    gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 0.2)
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.05, epsilon=1e-3).apply_gradients(
        zip(gradients, variables), step
    )
    values = np.random.RandomState(0).randint(7, size=[3, 6])
    feed = {words: values, lengths: [5, 3, 4]}
    shorter = {words: values[:2, :4], lengths: [3, 2]}
    rows = [("init", tf.global_variables_initializer())]
    for number in range(4):
        rows.append((f"norm {number}", [loss, norm], feed))
        rows.append((f"train {number}", train, feed if number % 2 else shorter))
    rows += [("state", last, feed), ("variables", variables)]
    return {"facts": {"variables": [v.name for v in tf.global_variables()]}, "steps": rows}
