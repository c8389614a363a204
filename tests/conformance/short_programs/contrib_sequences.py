"""tf.contrib.seq2seq and tf.contrib.rnn: attention, beams, helpers and cells, an option per program."""

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    C, nn = tf.contrib, tf.nn
    of = C.seq2seq
    random = np.random.RandomState(1)
    memory = random.randn(2, 4, 3).astype("f")
    queries = random.randn(2, 3).astype("f")
    table = random.randn(5, 3).astype("f")

    def ran(cell, inputs=queries):
        """What a cell makes of zeros, then of its own state."""
        state = cell.zero_state(len(inputs), tf.as_dtype(inputs.dtype))
        first, state = cell(tf.constant(inputs), state)
        return [first, *nn.static_rnn(cell, [tf.constant(inputs)], state)]

    def told(cell, inputs):
        """What a cell makes of zeros."""
        return cell(tf.constant(inputs), cell.zero_state(len(inputs), tf.float32))

    def attended(*mechanisms, depth=3, **options):
        cell = of.AttentionWrapper(nn.rnn_cell.BasicRNNCell(depth), *mechanisms, **options)
        state = cell.zero_state(2, tf.float32)
        first, state = cell(tf.constant(queries), state)
        given, state = cell(tf.constant(queries), state)
        history = state.alignment_history
        history = (
            []
            if history == ()
            else [each.stack() for each in tf.contrib.framework.nest.flatten(history)]
        )
        return [
            first,
            given,
            state.attention,
            state.alignments,
            state.attention_state,
            state.cell_state,
            history,
        ]

    def searched(
        width=2, attention=None, iterations=4, time_major=False, decoding=None, cell=None, **options
    ):
        cell = cell or nn.rnn_cell.GRUCell(3)
        start = cell.zero_state(2 * width, tf.float32)
        if attention is not None:
            tiled = of.tile_batch(tf.constant(memory), width)
            cell = of.AttentionWrapper(cell, attention(3, tiled), alignment_history=True)
            start = cell.zero_state(2 * width, tf.float32)
        given = {
            "output_layer": tf.layers.Dense(5, kernel_initializer=tf.glorot_uniform_initializer(3))
        }
        decoder = of.BeamSearchDecoder(
            cell, tf.constant(table), [0, 1], 4, start, width, **{**given, **options}
        )
        outputs, state, lengths = of.dynamic_decode(
            decoder, time_major, maximum_iterations=iterations, **(decoding or {})
        )
        found = [
            outputs.predicted_ids,
            outputs.beam_search_decoder_output,
            lengths,
            state.log_probs,
            state.finished,
        ]
        if attention is not None:
            history = state.cell_state.alignment_history
            found.append(history if isinstance(history, tf.Tensor) else history.stack())
        return found

    def decoded(helper, *options, layer=None, **named):
        cell = nn.rnn_cell.GRUCell(3)
        decoder = of.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32), layer)
        outputs, state, lengths = of.dynamic_decode(decoder, *options, **named)
        return [outputs.rnn_output, outputs.sample_id, state, lengths]

    def inputs(*shape):
        return np.random.RandomState(2).randn(*shape).astype("f")

    return rows(
        table_of(__file__), tf=tf, np=np, C=C, S=of, nn=nn, A=tf.constant, ran=ran, told=told, attended=attended,
        searched=searched, decoded=decoded, inputs=inputs, M=memory, Q=queries, TABLE=table, ONES=tf.ones_initializer(),
        GRU=nn.rnn_cell.GRUCell, BASIC=nn.rnn_cell.BasicRNNCell, LSTM=nn.rnn_cell.LSTMCell,
        STEPS=lambda: tf.constant(memory), DENSE=tf.layers.Dense,
    )  # fmt: skip
