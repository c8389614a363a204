"""tf.contrib.seq2seq: beam search, penalties, beam widths, and arrays in states."""

# ruff: noqa: E731

import numpy as np

from tests.conformance import scenes


def _parts(tf):
    """(an embedding table, a memory for two beams each, a dense layer), all new."""
    table = lambda dtype=np.float32: tf.constant(np.arange(12, dtype=dtype).reshape(4, 3) / 10)
    memory = lambda rows=4, dtype=np.float32: tf.constant(
        (np.arange(rows * 9) % 7).astype(dtype).reshape(rows, 3, 3) / 4
    )
    dense = lambda: tf.layers.Dense(4, use_bias=False)
    return table, memory, dense


def _start(tf):
    return tf.variable_scope("v", initializer=tf.random_uniform_initializer(-0.9, 0.9, 3))


def penalties(tf, stage):
    of = tf.contrib.seq2seq
    table, memory, dense = _parts(tf)

    def attended(count=1, several=False, history=False):
        cells = []
        for _ in range(count):
            looked = of.LuongAttention(4, memory())
            looked = [looked, of.BahdanauAttention(2, memory())] if several else looked
            cells.append(
                of.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), looked, alignment_history=history)
            )
        return cells[0] if count == 1 else tf.nn.rnn_cell.MultiRNNCell(cells)

    def beams(make, steps=0, **options):
        def built():
            with _start(tf):
                cell = make()
                given = {k: v() if callable(v) else v for k, v in options.items()}
                decoder = of.BeamSearchDecoder(
                    cell, table(), [1, 2], 0, cell.zero_state(4, tf.float32), 2, dense(), **given
                )
                if not steps:
                    return stepped(decoder)
                outputs, state, lengths = of.dynamic_decode(decoder, maximum_iterations=steps)
            kept = [x for x in tf.nest.flatten(state) if isinstance(x, tf.Tensor)]
            return outputs, kept, lengths

        return built

    def stepped(decoder):
        """The results of a step from a state in which a beam has ended."""
        _, inputs, state = decoder.initialize()
        seen = state.accumulated_attention_probs
        state = state._replace(
            finished=tf.constant([[False, True], [False, False]]),
            lengths=tf.constant([[4, 2], [1, 3]], tf.int64),
            log_probs=tf.constant([[-3.0, -2.0], [-1.0, -1.5]]),
            accumulated_attention_probs=seen if seen == () else seen + [0.5, 0.0, 1.5],
        )
        output, after, inputs, ended = decoder.step(tf.constant(1), inputs, state)
        seen = after.accumulated_attention_probs
        kept = [after.log_probs, after.lengths, *([] if seen == () else [seen])]
        return output, kept, inputs, ended

    stage.each(
        {
            "number": beams(attended, 3, coverage_penalty_weight=0.5),
            "unknown": beams(
                attended, coverage_penalty_weight=lambda: tf.placeholder_with_default(0.5, None)
            ),
            "two mechanisms": beams(lambda: attended(several=True), coverage_penalty_weight=0.5),
            "two cells of two": beams(lambda: attended(2, True), coverage_penalty_weight=0.5),
            "one cell in several": beams(
                lambda: tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3), attended()]),
                coverage_penalty_weight=0.5,
            ),
            "lengths, fed": beams(
                attended, length_penalty_weight=lambda: tf.placeholder_with_default(-1.0, None)
            ),
            "both": beams(
                attended,
                length_penalty_weight=1.0,
                coverage_penalty_weight=lambda: tf.constant(1.0),
            ),
        },
        graph=False,
    )


def widths(tf, stage):
    of = tf.contrib.seq2seq
    table, memory, dense = _parts(tf)
    fed = scenes.unknown(tf, ranked=True)

    def beams(
        width=2, dtype=np.float32, starts=lambda: [1, 2], cell=None, first=None, steps=3, **o
    ):
        def built():
            with _start(tf):
                its = cell() if cell else tf.nn.rnn_cell.GRUCell(3, dtype=dtype)
                before = first() if first else its.zero_state(2 * width, dtype)
                layer = o.pop("layer", lambda: tf.layers.Dense(4, dtype=dtype))()
                decoder = of.BeamSearchDecoder(
                    its, table(dtype), starts(), o.pop("end", 0), before, width, layer, **o
                )
                stage.say(decoder.output_dtype, decoder.output_size, decoder.batch_size)
                return decoder.initialize(), of.dynamic_decode(decoder, maximum_iterations=steps)

        return built

    stage.each(
        {
            "double": beams(dtype=np.float64),
            "all unknown": beams(
                starts=lambda: fed([1, 2]), first=lambda: fed(np.zeros([4, 3], np.float32))
            ),
            "no layer": beams(layer=lambda: None, cell=lambda: tf.nn.rnn_cell.GRUCell(4)),
            "wrong size": beams(first=lambda: tf.zeros([4, 2])),
        },
        graph=False,
    )


def arrays_in_states(tf, stage):
    of = tf.contrib.seq2seq
    table, _, dense = _parts(tf)

    class Keeping(tf.nn.rnn_cell.RNNCell):
        """Stores a part of each step in an array."""

        def __init__(self, cell, kept):
            super().__init__()
            self.inner, self.kept = cell, kept

        @property
        def state_size(self):
            return (self.inner.state_size, tf.TensorShape([]), tf.TensorShape([4]))

        @property
        def output_size(self):
            return self.inner.output_size

        def call(self, inputs, state):
            output, after = self.inner(inputs, state[0])
            array = state[2].write(state[1], self.kept(output))
            return output, (after, state[1] + 1, array)

    def beams(shape, kept, starts=lambda: [1, 2], infer=True, **options):
        def built():
            with _start(tf):
                cell = Keeping(tf.nn.rnn_cell.GRUCell(3), kept)
                array = tf.TensorArray(
                    tf.float32, 0, True, element_shape=shape, infer_shape=infer, name="kept"
                )
                first = (tf.zeros([4, 3]), tf.constant(0), array)
                decoder = of.BeamSearchDecoder(
                    cell, table(), starts(), 0, first, 2, dense(), **options
                )
                outputs, state, lengths = of.dynamic_decode(decoder, maximum_iterations=3)
                array = state.cell_state[2]
                array = array if isinstance(array, tf.Tensor) else ("array", array.stack())
            return outputs, array, lengths

        return built

    fed = scenes.unknown(tf, ranked=True)
    by_beams = lambda x: tf.reshape(x, [2, 2, 3])
    stage.each(
        {
            "rows": beams([4, 3], lambda x: x),
            "vectors": beams([4], lambda x: x[:, 0]),
            "in beams": beams([2, 2, 3], by_beams),
            "in beams, unknown": beams([None, None, 3], by_beams, lambda: fed([1, 2])),
            "no shape": beams(None, lambda x: x, infer=False),
        },
        graph=False,
    )
