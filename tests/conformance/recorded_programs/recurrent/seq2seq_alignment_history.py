"""Attention histories of a beam search, in the order of the final sequences, with dynamic sizes."""

import numpy as np


def build(tf):
    s2s = tf.contrib.seq2seq
    random = np.random.RandomState(18)
    memory = tf.placeholder(tf.float32, [None, None, 4], name="memory")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    rows = tf.shape(memory)[0]
    table = tf.get_variable("table", [6, 3])
    tiled, tiled_lengths = s2s.tile_batch((memory, lengths), 3, name="tiled")
    steps, facts = [("init", None)], {}
    out = tf.layers.Dense(6, name="out")

    def search(label, mechanisms, tokens, **options):
        cell = tf.nn.rnn_cell.GRUCell(4, name=label)
        sizes = [2, 2] if isinstance(mechanisms, list) else 4
        cell = s2s.AttentionWrapper(cell, mechanisms, sizes, alignment_history=True, name=label)
        start = cell.zero_state(rows * 3, tf.float32)
        decoder = s2s.BeamSearchDecoder(cell, table, tokens, 0, start, 3, out, **options)
        return s2s.dynamic_decode(decoder, maximum_iterations=4, scope="search_" + label)

    feed = {memory: random.randn(2, 5, 4), lengths: [5, 3]}
    mechanism = s2s.LuongAttention(4, tiled, tiled_lengths)
    outputs, state, _ = search("one", mechanism, tf.fill([rows], 1))
    history = state.cell_state.alignment_history
    facts["one"] = [type(history).__name__, str(history.shape)]
    steps.append(("one", [outputs, state.lengths, history], feed))
    two = [mechanism, s2s.BahdanauAttention(3, tiled)]
    outputs, state, _ = search("two", two, [1, 2], length_penalty_weight=1.0)
    histories = state.cell_state.alignment_history
    facts["two"] = [[type(h).__name__, str(h.shape)] for h in histories]
    steps.append(("two", [outputs, state.lengths, list(histories)], feed))
    feed = {memory: random.randn(3, 2, 4), lengths: [1, 2, 2]}
    outputs, state, _ = search("again", mechanism, tf.constant([3, 4, 5]))
    steps.append(("again", [outputs, state.cell_state.alignment_history], feed))
    steps[0] = ("init", tf.global_variables_initializer())
    return {"steps": steps, "facts": facts}
