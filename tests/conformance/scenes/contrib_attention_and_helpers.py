"""tf.contrib.seq2seq: several attention mechanisms per memory, rare helper arguments, sequence losses."""

# ruff: noqa: E731

import numpy as np

from tests.conformance import scenes
from tests.conformance.scenes.contrib_beams import _parts, _start


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
            "luong, 0": looked(lambda: of.LuongAttention(2, rows(), fed([2, 0]))),
            "luong, mask": looked(
                lambda: of.LuongAttention(2, rows(), [1, 2], score_mask_value=0.0)
            ),
            "bahdanau, double": looked(
                lambda: of.BahdanauAttention(3, rows("d"), [3, 2], True, **double), dtype="d"
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
            "first, unknown": cell(initial_cell_state=lambda: fed(np.ones([2, 4], np.float32))),
            "function": cell(attention_fn=own, attention_layer_size=5, output_attention=False),
            "tuple of two": cell(
                lambda: (luong(), of.BahdanauMonotonicAttention(2, memory(2))),
                alignment_history=True,
                attention_layer=(tf.layers.Dense(2), tf.layers.Dense(3, tf.tanh)),
            ),
            "unlike": cell(lambda: [luong(), None]),
            "no cell": cell(inner=lambda: None),
            "cloned": cell(before=ones(2, 4)),
            "cloned, others": cell(before=ones(2, 3)),
            "cloned, unknown others": cell(
                before=lambda state: state.clone(attention=fed(np.ones([2, 1], "f")))
            ),
            "cloned, no field": cell(before=lambda state: state.clone(none=3)),
            "no state": cell(before=lambda state: tuple(state)),
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
            "training, array": asked(lambda: train(np.ones([2, 1, 3]), np.array([1, 1]))),
            "training, end": asked(lambda: train(xs(), tf.constant([2, 1])), time=1),
            "training, unknown": asked(lambda: train(fed(np.ones([2, 2, 3], "f")), fed([2, 1]))),
            "embedded": asked(lambda: embed(xs(), [2, 2], table(), 0.5, seed=1, scheduling_seed=2)),
            "embedded, each": asked(
                lambda: embed(xs(), [2, 2], table(), fed(np.float32(1.0)), name="e")
            ),
            "taken": asked(lambda: output(xs(), [2, 2], 0.5, seed=5, name="o")),
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
            "sampled": asked(lambda: of.SampleEmbeddingHelper(table(), [1, 2], 0, 2.0, 6)),
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
    drawn = of.SampleEmbeddingHelper(table(), [1, 2], 1)
    custom = of.CustomHelper(
        lambda: (tf.constant([False]), 1), lambda **k: sorted(k), lambda **k: sorted(k)
    )
    stage.attempts(
        lambda: drawn.sample(0, [xs()], None),
        lambda: (custom.initialize("i"), custom.initialize(), custom.batch_size),
        lambda: embed(xs(), [2, 2], table(), fed([[0.5]])),
        lambda: of.SampleEmbeddingHelper(table(), [1], [1]),
    )
