"""tf.contrib.seq2seq: beams and penalties, memories looked at by several mechanisms, helpers with other arguments."""

# ruff: noqa: E731

import numpy as np

from tests import scenes


def _parts(tf):
    """(a table of inputs, a memory for two beams each, a dense layer), each made anew."""
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
        """What comes of a step from a state in which a beam has ended."""
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
            "tensor": beams(attended, coverage_penalty_weight=lambda: tf.constant(0.5)),
            "fed": beams(
                attended, coverage_penalty_weight=lambda: tf.placeholder_with_default(-2.0, [])
            ),
            "unknown": beams(
                attended, coverage_penalty_weight=lambda: tf.placeholder_with_default(0.5, None)
            ),
            "no attention": beams(
                lambda: tf.nn.rnn_cell.GRUCell(4),
                coverage_penalty_weight=lambda: tf.constant(0.5),
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
            "three": beams(3),
            "double": beams(dtype=np.float64),
            "unknown state": beams(first=lambda: fed(np.zeros([4, 3], np.float32))),
            "all unknown": beams(
                starts=lambda: fed([1, 2]), first=lambda: fed(np.zeros([4, 3], np.float32))
            ),
            "no layer": beams(
                layer=lambda: None,
                cell=lambda: tf.nn.rnn_cell.GRUCell(4),
            ),
            "of long": beams(
                cell=lambda: tf.nn.rnn_cell.BasicLSTMCell(3), length_penalty_weight=0.6
            ),
            "end": beams(end=3, steps=5),
            "end of tensor": beams(end=np.array(2)),
            "wrong rows": beams(first=lambda: tf.zeros([3, 3])),
            "wrong rows, unknown": beams(first=lambda: fed(np.zeros([3, 3], np.float32))),
            "wrong size": beams(first=lambda: tf.zeros([4, 2])),
        },
        graph=False,
    )


def arrays_in_states(tf, stage):
    of = tf.contrib.seq2seq
    table, _, dense = _parts(tf)

    class Keeping(tf.nn.rnn_cell.RNNCell):
        """Keeps something of each step in an array."""

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
            "starts unknown": beams([4, 3], lambda x: x, lambda: fed([1, 2])),
            "in beams, unknown": beams([None, None, 3], by_beams, lambda: fed([1, 2])),
            "others": beams([6, 3], lambda x: tf.ones([6, 3])),
            "others, unknown": beams([None, 3], lambda x: tf.ones([6, 3])),
            "others, vectors": beams([None], lambda x: tf.ones([5])),
            "no shape": beams(None, lambda x: x, infer=False),
        },
        graph=False,
    )


def mechanisms(tf, stage):
    of = tf.contrib.seq2seq
    _, memory, _ = _parts(tf)
    fed = scenes.unknown(tf, ranked=True)
    rows = lambda dtype=np.float32: memory(2, dtype)

    def looked(make, queries=((0.5, -1.0), (1.5, 0.25)), dtype=np.float32):
        def built():
            with _start(tf):
                its = make()
                stage.say(its.alignments_size, its.state_size, its.batch_size, its.dtype)
                stage.say(its.query_layer, its.memory_layer, its.keys, its.values)
                state = its.initial_state(2, dtype)
                found = [state, its.initial_alignments(2, dtype), its.keys, its.values]
                for _ in range(2):
                    alignments, state = its(tf.constant(queries, dtype), state=state)
                    found += [alignments, state]
                return found

        return built

    double = {"dtype": tf.float64}
    stage.each(
        {
            "luong": looked(lambda: of.LuongAttention(2, rows(), [3, 1])),
            "luong, double": looked(
                lambda: of.LuongAttention(2, rows("d"), [3, 1], True, **double), dtype="d"
            ),
            "luong, fed": looked(
                lambda: of.LuongAttention(
                    2, tf.placeholder_with_default(rows(), [None, None, 3]), fed([2, 1]), name="l"
                )
            ),
            "luong, 0": looked(lambda: of.LuongAttention(2, rows(), fed([2, 0]))),
            "luong, hard": looked(lambda: of.LuongAttention(2, rows(), probability_fn=of.hardmax)),
            "luong, mask": looked(
                lambda: of.LuongAttention(2, rows(), [1, 2], score_mask_value=0.0)
            ),
            "luong, keys": looked(
                lambda: of.LuongAttention(
                    2, rows(), [1, 2], custom_key_value_fn=lambda k, v: (k[:, :2], v[:, :2] + 1.0)
                )
            ),
            "bahdanau": looked(lambda: of.BahdanauAttention(3, rows(), [3, 2])),
            "bahdanau, double": looked(
                lambda: of.BahdanauAttention(3, rows("d"), [3, 2], True, **double), dtype="d"
            ),
            "bahdanau, all": looked(
                lambda: of.BahdanauAttention(
                    1,
                    rows(),
                    [3, 2],
                    True,
                    tf.nn.sigmoid,
                    1.0,
                    tf.float32,
                    lambda k, v: (-k, v),
                    "b",
                )
            ),
            "monotonic": looked(
                lambda: of.BahdanauMonotonicAttention(
                    3, rows(), [3, 2], True, -9.0, 0.5, 7, -1.0, "recursive", name="m"
                )
            ),
            "monotonic, double": looked(
                lambda: of.BahdanauMonotonicAttention(2, rows("d"), **double), dtype="d"
            ),
            "monotonic luong": looked(
                lambda: of.LuongMonotonicAttention(
                    2, rows(), [3, 2], True, -9.0, 0.5, 7, 0.5, "hard", name="m"
                )
            ),
            "monotonic luong, double": looked(
                lambda: of.LuongMonotonicAttention(2, rows("d"), score_bias_init=2.0, **double),
                dtype="d",
            ),
            "monotonic, recursive, double": looked(
                lambda: of.LuongMonotonicAttention(2, rows("d"), mode="recursive", **double),
                dtype="d",
            ),
            "monotonic, masked": looked(lambda: of.LuongMonotonicAttention(2, rows(), [1, 2])),
            "wide query": looked(lambda: of.LuongAttention(2, rows()), [[1.0] * 3] * 2),
            "no key": looked(
                lambda: of.LuongAttention(2, tf.placeholder(tf.float32, [2, 3, None]))
            ),
            "lengths": looked(lambda: of.LuongAttention(2, rows(), 3)),
            "no function": looked(
                lambda: of.BahdanauAttention(2, rows(), probability_fn="softmax")
            ),
        },
        graph=False,
    )
    plain = of.AttentionMechanism()
    stage.attempts(
        lambda: plain.alignments_size, lambda: plain.state_size, lambda: of.LuongAttention(2, 3.0)
    )


def wrapped(tf, stage):
    of = tf.contrib.seq2seq
    _, memory, _ = _parts(tf)
    fed = scenes.unknown(tf, ranked=True)
    luong = lambda: of.LuongAttention(4, memory(2))

    def cell(looked=luong, inner=None, before=None, after=None, batch=2, **options):
        def built():
            with _start(tf):
                given = {k: v() if k.endswith("state") else v for k, v in options.items()}
                its = of.AttentionWrapper(
                    (inner or (lambda: tf.nn.rnn_cell.GRUCell(4)))(), looked(), **given
                )
                stage.say(its.name, its.output_size, its.state_size, its.dtype)
                state = its.zero_state(batch, tf.float32)
                state = before(state) if before else state
                x = tf.constant([[0.5, 1.0], [-1.0, 2.0]])
                output, state = its(x, state)
                output, state = its(x, after(state) if after else state)
                arrays = tf.nest.flatten(state.alignment_history)
                state = state._replace(alignment_history=[array.stack() for array in arrays])
            stage.say([(v.name, v.shape) for v in its.variables])
            return output, state

        return built

    own = lambda mechanism, output, state, layer: (
        output[:, :3] * 2.0,
        *mechanism(output, state=state),
    )
    ones = lambda *shape: lambda state: state.clone(cell_state=tf.ones(shape))
    stage.each(
        {
            "plain": cell(),
            "named": cell(name="w", alignment_history=True, attention_layer_size=3),
            "first": cell(initial_cell_state=lambda: tf.ones([2, 4])),
            "first, unknown": cell(initial_cell_state=lambda: fed(np.ones([2, 4], np.float32))),
            "first, others": cell(initial_cell_state=lambda: tf.ones([3, 4])),
            "first of two": cell(
                inner=lambda: tf.nn.rnn_cell.LSTMCell(4),
                initial_cell_state=lambda: tf.nn.rnn_cell.LSTMStateTuple(
                    tf.zeros([2, 4]), tf.ones([2, 4])
                ),
            ),
            "function": cell(attention_fn=own, attention_layer_size=5, output_attention=False),
            "list of one": cell(lambda: [luong()], alignment_history=True),
            "tuple of two": cell(
                lambda: (luong(), of.BahdanauMonotonicAttention(2, memory(2))),
                alignment_history=True,
                attention_layer=(tf.layers.Dense(2), tf.layers.Dense(3, tf.tanh)),
            ),
            "sizes of two": cell(lambda: (luong(), luong()), attention_layer_size=(2, 1)),
            "one size of two": cell(lambda: (luong(), luong()), attention_layer_size=2),
            "one layer of two": cell(
                lambda: (luong(), luong()), attention_layer=tf.layers.Dense(2)
            ),
            "unlike": cell(lambda: [luong(), None]),
            "no cell": cell(inner=lambda: None),
            "cloned": cell(before=ones(2, 4)),
            "cloned, others": cell(before=ones(2, 3)),
            "cloned, time": cell(before=lambda state: state.clone(time=tf.constant(3))),
            "cloned, unknown": cell(
                before=lambda state: state.clone(attention=fed(np.ones([2, 3], "f")))
            ),
            "cloned, unknown others": cell(
                before=lambda state: state.clone(attention=fed(np.ones([2, 1], "f")))
            ),
            "cloned, no field": cell(before=lambda state: state.clone(none=3)),
            "no state": cell(before=lambda state: tuple(state)),
            "batch of a tensor": cell(batch=np.int32(2)),
            "others": cell(batch=3),
            "double": cell(
                lambda: of.LuongAttention(4, memory(2, "d"), dtype=tf.float64), dtype=tf.float64
            ),
        },
        graph=False,
    )


def helpers(tf, stage):
    of = tf.contrib.seq2seq
    table, _, _ = _parts(tf)
    xs = lambda: tf.constant(np.arange(12, dtype=np.float32).reshape(2, 2, 3) / 10)
    fed = scenes.unknown(tf, ranked=True)

    def asked(make, outputs=((0.1, 0.9, 0.2), (0.7, 0.1, 0.3)), time=0):
        def built():
            its = make()
            stage.say(its.sample_ids_shape, its.sample_ids_dtype)
            first = its.initialize("first")
            stage.say(its.batch_size)
            state = tf.constant(5.0)
            given = tf.constant(outputs)
            at = tf.constant(time)
            ids = its.sample(time=at, outputs=given, state=state, name="drawn")
            return first, ids, its.next_inputs(at, given, state, sample_ids=ids, name="next")

        return built

    train, embed, output = (
        of.TrainingHelper,
        of.ScheduledEmbeddingTrainingHelper,
        of.ScheduledOutputTrainingHelper,
    )
    stage.each(
        {
            "training": asked(lambda: train(xs(), [2, 0], name="t")),
            "training, none": asked(lambda: train(xs(), [0, 0])),
            "training, array": asked(lambda: train(np.ones([2, 1, 3]), np.array([1, 1]))),
            "training, end": asked(lambda: train(xs(), tf.constant([2, 1])), time=1),
            "training, unknown": asked(lambda: train(fed(np.ones([2, 2, 3], "f")), fed([2, 1]))),
            "training, scalar": asked(lambda: train(xs(), fed(2))),
            "embedded": asked(lambda: embed(xs(), [2, 2], table(), 0.5, seed=1, scheduling_seed=2)),
            "embedded, each": asked(
                lambda: embed(xs(), [2, 2], table(), fed(np.float32(1.0)), name="e")
            ),
            "embedded, end": asked(lambda: embed(xs(), [1, 1], table(), 1.0, seed=1)),
            "embedded, function": asked(
                lambda: embed(xs(), [2, 2], lambda i: tf.one_hot(i, 3), 1.0, seed=4)
            ),
            "embedded, double": asked(
                lambda: embed(xs(), [2, 2], table(), np.float64(0.5), seed=1, scheduling_seed=3)
            ),
            "taken": asked(lambda: output(xs(), [2, 2], 0.5, seed=5, name="o")),
            "taken, end": asked(lambda: output(xs(), [1, 1], 1.0)),
            "taken, none": asked(lambda: output(xs(), [2, 2], 0.0)),
            "taken, more": asked(
                lambda: output(xs(), [2, 2], 1.0, auxiliary_inputs=[[[5.0], [6.0]], [[7.0], [8.0]]])
            ),
            "taken, more by time": asked(
                lambda: output(
                    xs(), [2, 2], 1.0, True, auxiliary_inputs=[[[5.0], [6.0]], [[7.0], [8.0]]]
                )
            ),
            "taken, made": asked(
                lambda: output(
                    xs(),
                    [2, 2],
                    0.5,
                    seed=5,
                    next_inputs_fn=lambda x: -x,
                    auxiliary_inputs=tf.constant([[[5.0], [6.0]], [[7.0], [8.0]]]),
                )
            ),
            "greedy": asked(lambda: of.GreedyEmbeddingHelper(table(), [1, 2], 1)),
            "greedy, end": asked(
                lambda: of.GreedyEmbeddingHelper(table(), [1, 2], 1), [[0.0, 1.0], [0.0, 2.0]]
            ),
            "greedy, tensors": asked(
                lambda: of.GreedyEmbeddingHelper(table(), fed([1, 2]), tf.constant(0))
            ),
            "greedy, long": asked(
                lambda: of.GreedyEmbeddingHelper(table(), np.array([1, 2]), np.int64(0))
            ),
            "sampled": asked(lambda: of.SampleEmbeddingHelper(table(), [1, 2], 0, 2.0, 6)),
            "sampled, tensor": asked(
                lambda: of.SampleEmbeddingHelper(table(), [1, 2], 0, tf.constant(0.01), 6)
            ),
            "inferred": asked(
                lambda: of.InferenceHelper(
                    lambda x: x * 2.0, [3], tf.float32, np.ones([2, 3]), lambda x: x[:, 0] > 1.0
                )
            ),
            "inferred, all": asked(
                lambda: of.InferenceHelper(
                    sample_fn=lambda x: tf.argmax(x, -1),
                    sample_shape=tf.TensorShape([]),
                    sample_dtype=tf.int64,
                    start_inputs=fed(np.ones([2, 3], "f")),
                    end_fn=lambda x: tf.equal(x, 0),
                    next_inputs_fn=lambda x: tf.one_hot(x, 3),
                )
            ),
        },
        graph=False,
    )
    greedy = of.GreedyEmbeddingHelper(table(), [1, 2], 1)
    drawn = of.SampleEmbeddingHelper(table(), [1, 2], 1)
    custom = of.CustomHelper(
        lambda: (tf.constant([False]), 1), lambda **k: sorted(k), lambda **k: sorted(k)
    )
    stage.attempts(
        lambda: greedy.sample(0, (xs(), xs()), None),
        lambda: drawn.sample(0, [xs()], None),
        lambda: (custom.initialize("i"), custom.initialize(), custom.batch_size),
        lambda: custom.sample(0, None, None, "s"),
        lambda: custom.next_inputs(0, None, None, None, "n"),
        lambda: of.Helper(),
        lambda: embed(xs(), [2, 2], table(), fed([[0.5]])),
        lambda: output(xs(), [2, 2], [[0.5]]),
        lambda: of.GreedyEmbeddingHelper(table(), fed(1), 1),
        lambda: of.SampleEmbeddingHelper(table(), [1], [1]),
    )


def losses_of_sequences(tf, stage):
    of = tf.contrib.seq2seq
    fed = scenes.unknown(tf, ranked=True)
    logits = lambda dtype=np.float32: tf.constant(
        (np.arange(18) % 5).reshape(3, 2, 3).astype(dtype)
    )
    targets, weights = [[0, 1], [2, 2], [1, 0]], [[1.0, 0.5], [0.0, 0.0], [2.0, 0.0]]

    def loss(*options, dtype=np.float32, of_weights=weights, wrap=None, **more):
        def built():
            wrapped = wrap or (lambda x: x)
            return of.sequence_loss(
                wrapped(logits(dtype)),
                wrapped(tf.constant(targets, tf.int64)),
                wrapped(tf.constant(of_weights, dtype)),
                *options,
                **more,
            )

        return built

    nothing = np.zeros([3, 2])
    flags = [(a, b, c, d) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)]
    stage.each({str(each): loss(*map(bool, each)) for each in flags}, graph="sum")
    stage.each(
        {
            "double": loss(dtype=np.float64),
            "double, counted": loss(False, False, True, True, dtype=np.float64),
            "double, counted by time": loss(False, False, True, dtype=np.float64),
            "no weight": loss(of_weights=nothing),
            "no weight by batch": loss(True, False, of_weights=nothing),
            "no weight counted": loss(False, False, True, True, of_weights=nothing),
            "no weight counted in time": loss(False, False, False, True, of_weights=nothing),
            "unknown": loss(wrap=lambda x: tf.placeholder_with_default(x, [None] * x.shape.ndims)),
            "no rank": loss(wrap=lambda x: tf.placeholder_with_default(x, None)),
            "own": loss(softmax_loss_function=lambda labels, logits: logits[:, 0], name="own"),
        }
    )
    stage.attempts(
        lambda: of.sequence_loss(tf.ones([1, 2]), tf.ones([1, 2]), tf.ones([1, 2])),
        lambda: of.sequence_loss(tf.ones([1, 2, 3]), tf.ones([1]), tf.ones([1, 2])),
        lambda: of.sequence_loss(tf.ones([1, 2, 3]), tf.ones([1, 2]), tf.ones([2])),
    )
    stage.each(
        {
            "tiled": lambda: of.tile_batch((np.arange(6).reshape(2, 3), [True, False]), 2),
            "tiled, once": lambda: of.tile_batch(tf.constant([[1.0], [2.0]]), 1),
            "tiled, unknown": lambda: of.tile_batch(fed([[1, 2], [3, 4]]), 3, name="own"),
            "tiled, scalar": lambda: of.tile_batch(3.0, 2),
            "tiled, empty": lambda: of.tile_batch(tf.zeros([0, 2]), 2),
            "hardmax": lambda: of.hardmax(tf.constant([[0.0, 2.0, 2.0]], tf.float64)),
            "hardmax, unknown": lambda: of.hardmax(fed(np.array([[3.0, 2.0]], "f"))),
            "hardmax of three": lambda: of.hardmax(tf.constant([[[0.5, 2.0]], [[3.0, 1.0]]])),
            "products": lambda: of.safe_cumprod([[0.5, 0.0, 0.25], [2.0, -1.0, 0.5]]),
            "products, double": lambda: of.safe_cumprod(np.array([[0.5, 0.0, 0.25]]), 1),
            "products, reversed": lambda: of.safe_cumprod([0.5, 0.25, 1.0], reverse=True),
            "stops": lambda: of.monotonic_attention([[0.2, 0.5]], [[1.0, 0.0]], "recursive"),
            "stops, double": lambda: of.monotonic_attention(
                np.array([[0.2, 0.5]]), np.array([[0.25, 0.75]]), "parallel"
            ),
            "stops, hard": lambda: of.monotonic_attention(
                [[1.0, 0.0, 1.0, 1.0]], [[0.0, 1.0, 0.0, 0.0]], mode="hard"
            ),
            "stops, unknown": lambda: of.monotonic_attention(
                fed(np.array([[0.2, 0.5]], "f")), fed(np.array([[0.5, 0.5]], "f")), "recursive"
            ),
            "stops, other": lambda: of.monotonic_attention([[0.2]], [[1.0]], "Hard"),
            "tree": lambda: of.gather_tree(
                [[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]],
                [[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]]],
                [2],
                end_token=10,
                name="tree",
            ),
            "tree, outside": lambda: of.gather_tree([[[1, 2]]] * 2, [[[0, 5]]] * 2, [2], 9),
            "tree, ended": lambda: of.gather_tree(
                [[[1, 9]], [[9, 3]], [[4, 5]]], [[[0, 1]]] * 3, [3], 9
            ),
        }
    )
