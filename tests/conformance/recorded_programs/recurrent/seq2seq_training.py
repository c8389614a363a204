"""A small translator: an encoder, a decoder with Luong's attention, trained, then decoding greedily."""

import numpy as np


def build(tf):
    s2s = tf.contrib.seq2seq
    random = np.random.RandomState(4)
    source = random.randint(2, 8, (3, 5))
    target = source[:, :4][:, ::-1]
    lengths = tf.constant([5, 4, 5])
    out_lengths = tf.constant([4, 3, 4])
    table = tf.get_variable("embedding", [8, 6])
    cell = tf.nn.rnn_cell.LSTMCell(7, name="encoder")
    outputs, state = tf.nn.dynamic_rnn(
        cell, tf.nn.embedding_lookup(table, source), lengths, dtype=tf.float32
    )
    attention = s2s.LuongAttention(7, outputs, memory_sequence_length=lengths, scale=True)
    decoder_cell = s2s.AttentionWrapper(
        tf.nn.rnn_cell.LSTMCell(7), attention, attention_layer_size=5, alignment_history=True
    )
    start = decoder_cell.zero_state(3, tf.float32).clone(cell_state=state)
    logits_layer = tf.layers.Dense(8, use_bias=False, name="logits")
    given = np.concatenate([np.ones((3, 1), int), target[:, :-1]], axis=1)
    helper = s2s.TrainingHelper(tf.nn.embedding_lookup(table, given), out_lengths)
    decoder = s2s.BasicDecoder(decoder_cell, helper, start, logits_layer)
    decoded, last, steps = s2s.dynamic_decode(decoder, impute_finished=True)
    weights = tf.sequence_mask(out_lengths, 4, dtype=tf.float32)
    loss = s2s.sequence_loss(decoded.rnn_output, tf.constant(target.copy()), weights)
    optimizer = tf.train.AdamOptimizer(0.05)
    pairs = optimizer.compute_gradients(loss)
    clipped, _ = tf.clip_by_global_norm([g for g, _ in pairs], 5.0)
    train = optimizer.apply_gradients(zip(clipped, [v for _, v in pairs]))

    greedy = s2s.GreedyEmbeddingHelper(table, tf.fill([3], 1), 0)
    inference = s2s.BasicDecoder(decoder_cell, greedy, start, logits_layer)
    with tf.variable_scope("decoder", reuse=True):
        answer, _, answered = s2s.dynamic_decode(
            inference, output_time_major=True, maximum_iterations=6, scope=tf.get_variable_scope()
        )
    init = tf.global_variables_initializer()
    return {
        "steps": [
            ("init", init),
            ("before", [loss, decoded, steps, last.time, last.alignments]),
            ("history", last.alignment_history.stack()),
        ]
        + [(f"train {i}", [train, loss]) for i in range(4)]
        + [("after", [loss, last.attention]), ("greedy", [answer, answered])],
        "facts": {
            "shapes": [
                str(decoded.rnn_output.shape),
                str(decoded.sample_id.shape),
                str(steps.shape),
            ],
            "sizes": [str(decoder_cell.output_size), str(decoder_cell.state_size)],
            "variables": [v.name for v in tf.trainable_variables()],
        },
    }
