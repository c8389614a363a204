"""tf.contrib: legacy models, masks, integrals, tag chains: float64, unknown shapes, repeated calls."""

# ruff: noqa: E731

import numpy as np

from tests.conformance import scenes


def _start(tf):
    return tf.variable_scope("model", initializer=tf.random_uniform_initializer(-1.0, 1.0, seed=2))


def older_decoders(tf, stage):
    of = tf.contrib.legacy_seq2seq
    gru = lambda size=3, **k: tf.nn.rnn_cell.GRUCell(size, **k)
    lstm = lambda: tf.nn.rnn_cell.BasicLSTMCell(2)
    symbols = lambda: [tf.constant([1, 0]), tf.constant([2, 3])]
    vectors = lambda kind=np.float32: [tf.constant([[0.1, -0.2], [0.5, 0.3]], kind)] * 2
    looked = lambda kind=np.float32: tf.constant((np.arange(12) % 5).reshape(2, 3, 2), kind) / 4
    zeros = lambda kind=np.float32: tf.zeros([2, 3], kind)
    ranked = lambda xs: [tf.placeholder_with_default(x, [None] * x.shape.ndims) for x in xs]
    turned = lambda previous, step: previous[:, :2] * (step + 1.0)

    def within(function):
        def built():
            with _start(tf):
                found = function()
            stage.say([(v.op.name, v.dtype, str(v.shape)) for v in tf.global_variables()])
            return found

        return built

    def slopes(update):
        outputs, state = of.embedding_rnn_decoder(
            symbols(), zeros(), gru(), 3, 2, (tf.ones([3, 3]), [0.0, 1.0, 0.5]), True, update
        )
        table = [v for v in tf.trainable_variables() if v.name.endswith("embedding:0")][0]
        return tf.convert_to_tensor(tf.gradients(outputs[-1], table)[0])

    def attending(**options):
        return within(lambda: of.attention_decoder(vectors(), zeros(), looked(), gru(), **options))

    def embedding(**options):
        return within(
            lambda: of.embedding_attention_decoder(
                symbols(), zeros(), looked(), gru(), 4, 2, **options
            )
        )

    stage.each(
        {
            "attending": attending(),
            "heads": attending(output_size=4, num_heads=2, scope="own"),
            "at first": attending(initial_state_attention=True),
            "fed back": attending(loop_function=turned, output_size=2),
            "long and short": within(
                lambda: of.attention_decoder(
                    vectors(), lstm().zero_state(2, tf.float32), looked(), lstm(), num_heads=2
                )
            ),
            "double": within(
                lambda: of.attention_decoder(
                    vectors(np.float64),
                    zeros(np.float64),
                    looked(np.float64),
                    gru(dtype=tf.float64),
                    dtype=tf.float64,
                )
            ),
            "unknown length": within(
                lambda: of.attention_decoder(
                    vectors(),
                    zeros(),
                    tf.placeholder_with_default(looked(), [None, None, 2]),
                    gru(),
                )
            ),
            "unknown batch": within(
                lambda: of.attention_decoder(
                    [tf.placeholder_with_default(x, [None, 2]) for x in vectors()],
                    tf.placeholder_with_default(zeros(), [None, 3]),
                    looked(),
                    gru(),
                )
            ),
            "unknown size": within(
                lambda: of.attention_decoder(ranked(vectors()), zeros(), looked(), gru())
            ),
            "symbols": embedding(),
            "symbols, all": embedding(
                num_heads=2,
                output_size=5,
                output_projection=(np.ones([5, 4], "f"), np.arange(4.0, dtype="f")),
                feed_previous=True,
                update_embedding_for_previous=False,
                scope="own",
                initial_state_attention=True,
            ),
            "symbols, fed": embedding(feed_previous=True, output_size=4),
            "slopes": within(lambda: slopes(True)),
            "no slopes": within(lambda: slopes(False)),
            "read and said": within(
                lambda: of.basic_rnn_seq2seq(
                    vectors(np.float64), vectors(np.float64), gru(), tf.float64
                )
            ),
            "tied": within(lambda: of.tied_rnn_seq2seq(vectors(), vectors(), lstm(), scope="own")),
            "said in doubles": within(
                lambda: of.embedding_rnn_seq2seq(
                    symbols(), symbols(), gru(), 4, 5, 2, dtype=tf.float64, scope="own"
                )
            ),
            "many": within(
                lambda: of.one2many_rnn_seq2seq(
                    symbols(),
                    {"b": symbols(), "a": symbols()[:1]},
                    gru(),
                    {"a": gru(), "b": gru()},
                    4,
                    {"a": 3, "b": 4},
                    2,
                    scope="own",
                )
            ),
            "twice": lambda: [
                within(lambda: of.rnn_decoder(vectors(), zeros(), gru(), scope=name))()  # noqa: B023  called here
                for name in ("one", "two")
            ],
        },
        graph=False,
    )


def shares_to_mask(tf, stage):
    of = tf.contrib.model_pruning
    w = tf.get_variable("w", initializer=np.float32([[1.0, -4.0], [2.0, 0.5], [-3.0, 0.1]]))
    masked = of.apply_mask(w, "mine")
    step = tf.placeholder_with_default(5, [], "step")
    share = tf.placeholder_with_default(0.5, [], "share")
    hparams = of.get_pruning_hparams().parse(
        "pruning_frequency=2,begin_pruning_step=4,end_pruning_step=9,name=own"
    )
    by_share = of.Pruning(hparams, step, share)
    always = by_share.mask_update_op()
    again = by_share.mask_update_op()
    second = of.Pruning(hparams.parse("threshold_decay=0.5"), global_step=step)
    sometimes = second.conditional_mask_update_op()
    stage.say(always, again, sometimes, second._last_update_step)
    by_share.add_pruning_summaries()
    stage.say([t.name for t in tf.get_collection("summaries")])
    seen = [masked, of.get_thresholds(), of.get_weight_sparsity(), second._last_update_step]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for op, now, part in (
            *((always, 1, 0.5), (always, 2, 0.0), (again, 3, 0.9)),
            *((sometimes, n, 0.5) for n in (3, 4, 5, 6, 9, 10, 60)),
        ):
            with stage.failing():
                session.run(op, {step: now, share: part})
            stage.say(op.name, now, session.run(seen, {step: now, share: part}))


def chains_of_tags(tf, stage):
    of = tf.contrib.crf
    fed = scenes.unknown(tf, ranked=True)
    kinds = {"plain": (tf.constant, np.int32), "unknown": (fed, np.int32), "long": (fed, np.int64)}
    scores = ((np.arange(18) * 7) % 5).reshape(2, 3, 3).astype("f")
    steps = (np.arange(9) % 4).reshape(3, 3).astype("f")
    vague = lambda: tf.placeholder_with_default(scores, [None, None, 3])
    cases = {}
    for name, (given, whole) in kinds.items():
        x = lambda given=given: given(scores) if given is tf.constant else vague()
        tags = lambda given=given, whole=whole: given(np.array([[1, 0, 2], [2, 2, 1]], whole))
        lengths = lambda given=given, whole=whole: given(np.array([3, 1], whole))
        cases.update(
            {
                name: lambda x=x, tags=tags, lengths=lengths: of.crf_log_likelihood(
                    x(), tags(), lengths(), tf.constant(steps)
                ),
                name + ", decoded": lambda x=x, lengths=lengths: of.crf_decode(
                    x(), tf.constant(steps), lengths()
                ),
                name + ", several": lambda x=x, lengths=lengths: of.crf_multitag_sequence_score(
                    x(), tf.constant(scores > 1), lengths(), tf.constant(steps)
                ),
            }
        )
    one = lambda: tf.constant(scores[:, :1])
    tags = np.array([[1, 0, 2]] * 2)
    cases.update(
        {
            "one, unknown": lambda: of.crf_decode(
                tf.placeholder_with_default(scores[:, :1], [None, None, 3]),
                tf.constant(steps),
                tf.constant([1, 0]),
            ),
            "one, norm": lambda: of.crf_log_norm(one(), tf.constant([1, 0]), tf.constant(steps)),
            "one, several": lambda: of.crf_multitag_sequence_score(
                one(), tf.constant(scores[:, :1] > 1), tf.constant([1, 0]), tf.constant(steps)
            ),
            "double": lambda: of.crf_log_norm(
                tf.constant(scores, tf.float64), tf.constant([3, 2]), tf.constant(steps, tf.float64)
            ),
            "no steps": lambda: of.crf_log_likelihood(
                tf.constant(scores), tf.constant(tags), tf.constant([3, 3])
            ),
            "slopes": lambda: tf.gradients(
                of.crf_log_likelihood(
                    tf.constant(scores), tf.constant(tags), tf.constant([3, 1]), tf.constant(steps)
                )[0],
                tf.get_default_graph().get_tensor_by_name("Const:0"),
            ),
        }
    )
    stage.each(cases, graph=False)
