"""Attention, decoding and beam search in double and half precision; int64 tags; one row, one step."""

import numpy as np


def build(tf):
    s2s = tf.contrib.seq2seq
    random = np.random.RandomState(16)
    steps = [("init", None)]
    for dtype in (tf.float64, tf.float16):
        name = dtype.name
        memory = tf.constant(random.randn(2, 3, 4), dtype)
        table = tf.constant(random.randn(5, 4), dtype)
        with tf.variable_scope(name, dtype=dtype):
            cell = tf.nn.rnn_cell.BasicRNNCell(4, dtype=dtype)
            out = tf.layers.Dense(5, dtype=dtype, name="out")
            attention = s2s.BahdanauAttention(3, memory, [3, 2], normalize=True, dtype=dtype)
            wrapped = s2s.AttentionWrapper(cell, attention, attention_layer_size=4, dtype=dtype)
            helper = s2s.TrainingHelper(tf.gather(table, [[1, 2], [3, 4]]), [2, 1])
            decoder = s2s.BasicDecoder(wrapped, helper, wrapped.zero_state(2, dtype), out)
            outputs, last, _ = s2s.dynamic_decode(decoder, scope="decode")
            loss = s2s.sequence_loss(
                outputs.rnn_output, tf.constant([[1, 2], [0, 0]]), tf.ones([2, 2], dtype)
            )
            slope = tf.gradients(loss, [memory, table])
            plain = tf.nn.rnn_cell.BasicRNNCell(4, dtype=dtype, name="plain")
            beams = s2s.BeamSearchDecoder(
                plain,
                table,
                [1, 2],
                0,
                plain.zero_state(4, dtype),
                2,
                out,
                length_penalty_weight=0.5,
            )
            if dtype == tf.float64:  # the penalties do not support half precision
                found, state, _ = s2s.dynamic_decode(beams, maximum_iterations=3, scope="search")
                steps.append(("beams", [found.predicted_ids, state.lengths, state.log_probs]))
                draws = s2s.SampleEmbeddingHelper(table, [1, 2], 0, seed=3)
                drawing = s2s.BasicDecoder(plain, draws, plain.zero_state(2, dtype), out)
                drawn = s2s.dynamic_decode(
                    drawing, maximum_iterations=4, parallel_iterations=1, scope="draw"
                )
                steps.append(("drawn", drawn))
        if dtype == tf.float64:  # half-precision rounding differs between the implementations
            steps.append((name, [outputs, last.alignments, loss, slope]))
    crf = tf.contrib.crf
    scores = tf.constant(random.randn(1, 1, 3).astype("f"))
    tags = tf.constant([[2]], tf.int64)
    one = tf.constant([1], tf.int64)
    likelihood, transitions = crf.crf_log_likelihood(scores, tags, one)
    steps.append(("one", [likelihood, crf.crf_decode(scores, transitions, one)]))
    steps[0] = ("init", tf.global_variables_initializer())
    return {"steps": steps}
