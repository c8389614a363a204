"""A small network trained with the CTC loss; the loss with each option, its gradient."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    random = np.random.RandomState(1)
    frames = tf.constant(random.randn(3, 7, 4).astype("f"), name="frames")
    lengths = tf.constant([7, 5, 6], name="lengths")
    labels = tf.SparseTensor(
        [[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1]], [0, 1, 1, 2, 0, 2], [3, 3]
    )
    labels = tf.SparseTensor(labels.indices, tf.cast(labels.values, tf.int32), labels.dense_shape)
    cell = tf.nn.rnn_cell.GRUCell(6)
    outputs, _ = tf.nn.dynamic_rnn(cell, frames, lengths, dtype=tf.float32)
    logits = tf.layers.dense(outputs, 4)
    losses = tf.nn.ctc_loss(labels, logits, lengths, time_major=False)
    loss = tf.reduce_mean(losses)
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    by_time = tf.transpose(logits, [1, 0, 2], name="by_time")
    options = [
        tf.nn.ctc_loss(labels, by_time, lengths, preprocess_collapse_repeated=True),
        tf.nn.ctc_loss(labels, logits=by_time, sequence_length=lengths, ctc_merge_repeated=False),
        tf.nn.ctc_loss(labels, by_time, [2, 5, 1], ignore_longer_outputs_than_inputs=True),
        tf.nn.ctc_loss(labels, tf.cast(by_time, tf.float64), lengths),
    ]
    slopes = tf.gradients(options, by_time)
    decoded, scores = tf.nn.ctc_greedy_decoder(by_time, lengths)
    distance = tf.edit_distance(tf.cast(decoded[0], tf.int32), labels)
    steps = [("init", tf.global_variables_initializer()), ("options", [options, slopes])]
    steps += [(f"train {i}", [train, loss]) for i in range(5)]
    steps += [("after", [losses, scores, decoded[0].values, distance])]
    shapes = [str(t.shape) for t in [losses, scores, decoded[0].indices, decoded[0].values]]
    return {"steps": steps, "facts": {"shapes": shapes}}
