"""Beam search: a plain cell, attention and its history, penalties, unknown batch size."""

import numpy as np


def build(tf):
    s2s = tf.contrib.seq2seq
    random = np.random.RandomState(10)
    table = tf.get_variable("table", [6, 4])
    dense = tf.layers.Dense(6, name="dense")
    cell = tf.nn.rnn_cell.LSTMCell(5, name="cell")
    steps = [("init", None)]
    facts = {}

    def run(label, cell, start, tokens, width, maximum_iterations=5, **options):
        decoder = s2s.BeamSearchDecoder(cell, table, tokens, 0, start, width, dense, **options)
        outputs, state, lengths = s2s.dynamic_decode(
            decoder, maximum_iterations=maximum_iterations, scope=label
        )
        steps.append((label, [outputs, state.log_probs, state.lengths, state.finished, lengths]))
        facts[label] = [str(t.shape) for t in (outputs.predicted_ids, state.log_probs, lengths)]
        facts[label].append(str(decoder.output_size) + str(decoder.output_dtype))
        facts[label].append([decoder.tracks_own_finished, str(decoder.batch_size.shape)])
        return state

    plain = cell.zero_state(2 * 3, tf.float32)
    run("plain", cell, plain, [1, 2], 3)
    run("penalty", cell, plain, tf.constant([1, 2]), 3, length_penalty_weight=0.7)
    tokens = tf.placeholder_with_default([1, 2, 3], [None], name="tokens")
    batch = tf.size(tokens)
    either = tf.nn.rnn_cell.GRUCell(5, name="either")
    run("either", either, either.zero_state(batch * 2, tf.float32), tokens, 2)

    lengths = tf.constant([4, 2])
    memory = tf.constant(random.randn(2, 4, 5).astype("f"), name="memory")
    encoded = tf.nn.rnn_cell.LSTMStateTuple(
        tf.constant(random.randn(2, 5).astype("f")), tf.constant(random.randn(2, 5).astype("f"))
    )
    memory, encoded, lengths = s2s.tile_batch((memory, encoded, lengths), 3)
    attention = s2s.LuongAttention(5, memory, memory_sequence_length=lengths)
    inner = tf.nn.rnn_cell.LSTMCell(5, name="inner")
    looking = s2s.AttentionWrapper(inner, attention, attention_layer_size=5, name="looking")
    start = looking.zero_state(6, tf.float32).clone(cell_state=encoded)
    run("looking", looking, start, [1, 2], 3)
    run("coverage", looking, start, [1, 2], 3, coverage_penalty_weight=0.4)
    noting = s2s.AttentionWrapper(
        tf.nn.rnn_cell.LSTMCell(5, name="innermost"),
        [attention, s2s.BahdanauAttention(4, memory)],
        attention_layer_size=[3, 2],
        alignment_history=True,
        name="noting",
    )
    start = noting.zero_state(6, tf.float32).clone(cell_state=encoded)
    state = run("noting", noting, start, [1, 2], 3, coverage_penalty_weight=0.2)
    facts["histories"] = [type(ta).__name__ for ta in state.cell_state.alignment_history]
    state = run("as_written", noting, start, [1, 2], 3, reorder_tensor_arrays=False)
    steps.append(("arrays", [ta.stack() for ta in state.cell_state.alignment_history]))
    function = s2s.BeamSearchDecoder(
        cell, lambda ids: tf.one_hot(ids, 4), [1, 2], tf.constant(3), plain, 3, dense
    )
    outputs, _, _ = s2s.dynamic_decode(function, True, maximum_iterations=tf.constant(3))
    steps.append(("function", outputs))
    steps[0] = ("init", tf.global_variables_initializer())
    return {"steps": steps, "facts": facts}
