"""tf.contrib.seq2seq, legacy_seq2seq, crf: decoders, helpers, attention with other arguments than the usual ones."""

import numpy as np


def decoders(tf, stage):
    of = tf.contrib.seq2seq
    table = lambda: tf.constant(np.arange(12, dtype=np.float32).reshape(4, 3) / 10)  # noqa: E731
    xs = lambda: tf.constant(np.arange(12, dtype=np.float32).reshape(2, 2, 3) / 10)  # noqa: E731
    cell = lambda: tf.nn.rnn_cell.GRUCell(4)  # noqa: E731
    state = lambda: tf.zeros([2, 4])  # noqa: E731
    dense = lambda: tf.layers.Dense(4, use_bias=False)  # noqa: E731
    memory = lambda: tf.constant(np.arange(18, dtype=np.float32).reshape(2, 3, 3) / 20)  # noqa: E731

    def decoded(make, **options):
        def made():
            with tf.variable_scope("v", initializer=tf.random_uniform_initializer(-0.5, 0.5, 3)):
                return of.dynamic_decode(
                    make(), maximum_iterations=options.pop("most", 3), **options
                )

        return made

    def basic(helper, layer=None):
        return decoded(lambda: of.BasicDecoder(cell(), helper(), state(), layer and layer()))

    def attended(make, **options):
        def built():
            wrapped = of.AttentionWrapper(cell(), make(), **options)
            return of.BasicDecoder(
                wrapped, of.TrainingHelper(xs(), [2, 1]), wrapped.zero_state(2, tf.float32)
            )

        return decoded(built)

    def beams(**options):
        def built():
            first = tf.zeros([4, 4])
            return of.BeamSearchDecoder(cell(), table(), [1, 1], 0, first, 2, dense(), **options)

        return decoded(built)

    sample = lambda outputs: tf.argmax(outputs, -1, output_type=tf.int32)  # noqa: E731
    stage.each(
        {
            "training": basic(lambda: of.TrainingHelper(xs(), [2, 1])),
            "training_time": basic(
                lambda: of.TrainingHelper(tf.transpose(xs(), [1, 0, 2]), [2, 1], True)
            ),
            "training_lengths": basic(lambda: of.TrainingHelper(xs(), 2)),
            "training_layer": basic(lambda: of.TrainingHelper(xs(), [2, 1]), dense),
            "scheduled": basic(
                lambda: of.ScheduledEmbeddingTrainingHelper(xs(), [2, 1], table(), 0.0, seed=3)
            ),
            "scheduled_always": basic(
                lambda: of.ScheduledEmbeddingTrainingHelper(xs(), [2, 2], table(), 1.0, True, 3, 4)
            ),
            "scheduled_vector": basic(
                lambda: of.ScheduledEmbeddingTrainingHelper(xs(), [2, 1], table(), [0.5])
            ),
            "outputs": basic(
                lambda: of.ScheduledOutputTrainingHelper(xs(), [2, 1], 1.0, seed=3),
                lambda: tf.layers.Dense(3),
            ),
            "outputs_options": basic(
                lambda: of.ScheduledOutputTrainingHelper(
                    xs(),
                    [2, 1],
                    0.0,
                    True,
                    3,
                    lambda x: x[:, :3] * 2,
                    auxiliary_inputs=tf.ones([2, 2, 1]),
                )
            ),
            "outputs_vector": basic(lambda: of.ScheduledOutputTrainingHelper(xs(), [2, 1], [0.5])),
            "greedy": basic(lambda: of.GreedyEmbeddingHelper(table(), [1, 1], 0)),
            "greedy_function": basic(
                lambda: of.GreedyEmbeddingHelper(lambda ids: tf.one_hot(ids, 3), [1, 2], 3)
            ),
            "greedy_starts": basic(lambda: of.GreedyEmbeddingHelper(table(), 1, 0)),
            "greedy_end": basic(lambda: of.GreedyEmbeddingHelper(table(), [1], [0])),
            "sampled": basic(lambda: of.SampleEmbeddingHelper(table(), [1, 1], 0, seed=3)),
            "sampled_temperature": basic(
                lambda: of.SampleEmbeddingHelper(table(), [1, 1], 0, 0.01, 3)
            ),
            "inferred": basic(
                lambda: of.InferenceHelper(
                    sample,
                    [],
                    tf.int32,
                    tf.ones([2, 3]),
                    lambda ids: tf.equal(ids, 0),
                    lambda ids: tf.one_hot(ids, 3),
                )
            ),
            "inferred_plain": basic(
                lambda: of.InferenceHelper(
                    lambda o: o[:, :3],
                    [3],
                    tf.float32,
                    tf.ones([2, 3]),
                    lambda ids: ids[:, 0] > 0.5,
                )
            ),
            "custom": basic(
                lambda: of.CustomHelper(
                    lambda: (tf.constant([False, False]), tf.ones([2, 3])),
                    lambda time, outputs, state: sample(outputs),
                    lambda time, outputs, state, sample_ids: (
                        tf.constant([True, False]),
                        tf.ones([2, 3]),
                        state,
                    ),
                )
            ),
            "time_major": decoded(
                lambda: of.BasicDecoder(cell(), of.TrainingHelper(xs(), [2, 1]), state()),
                output_time_major=True,
                impute_finished=True,
            ),
            "few": decoded(
                lambda: of.BasicDecoder(cell(), of.TrainingHelper(xs(), [2, 2]), state()), most=1
            ),
            "unlimited": decoded(
                lambda: of.BasicDecoder(cell(), of.TrainingHelper(xs(), [2, 2]), state()), most=None
            ),
            "no_decoder": decoded(lambda: 3),
            "bad_most": decoded(
                lambda: of.BasicDecoder(cell(), of.TrainingHelper(xs(), [2, 2]), state()), most=[1]
            ),
            "no_cell": decoded(
                lambda: of.BasicDecoder(3, of.TrainingHelper(xs(), [2, 2]), state())
            ),
            "no_helper": decoded(lambda: of.BasicDecoder(cell(), 3, state())),
            "no_layer": decoded(
                lambda: of.BasicDecoder(cell(), of.TrainingHelper(xs(), [2, 2]), state(), 3)
            ),
            "luong": attended(lambda: of.LuongAttention(3, memory())),
            "luong_options": attended(
                lambda: of.LuongAttention(4, memory(), [1, 3], True, tf.nn.sigmoid, -5.0),
                attention_layer_size=2,
                alignment_history=True,
                output_attention=False,
                name="mine",
            ),
            "bahdanau": attended(lambda: of.BahdanauAttention(2, memory(), [2, 3])),
            "bahdanau_options": attended(
                lambda: of.BahdanauAttention(2, memory(), None, True, score_mask_value=-5.0),
                attention_layer=tf.layers.Dense(2),
                cell_input_fn=lambda x, attention: x + attention[:, :1],
            ),
            "bahdanau_custom": attended(
                lambda: of.BahdanauAttention(
                    2, memory(), custom_key_value_fn=lambda k, v: (k * 2, v)
                )
            ),
            "two": attended(
                lambda: [of.LuongAttention(4, memory()), of.BahdanauAttention(2, memory())],
                attention_layer_size=[2, 1],
                alignment_history=True,
            ),
            "monotonic": attended(
                lambda: of.BahdanauMonotonicAttention(
                    2, memory(), [2, 3], True, sigmoid_noise_seed=3
                )
            ),
            "monotonic_hard": attended(
                lambda: of.LuongMonotonicAttention(
                    4, memory(), scale=True, mode="hard", score_bias_init=0.5
                )
            ),
            "monotonic_recursive": attended(
                lambda: of.LuongMonotonicAttention(4, memory(), mode="recursive")
            ),
            "monotonic_bad": attended(lambda: of.LuongMonotonicAttention(4, memory(), mode="none")),
            "sizes_and_layer": attended(
                lambda: of.LuongAttention(4, memory()),
                attention_layer_size=2,
                attention_layer=tf.layers.Dense(2),
            ),
            "sizes": attended(lambda: of.LuongAttention(4, memory()), attention_layer_size=[2, 1]),
            "layers": attended(lambda: of.LuongAttention(4, memory()), attention_layer=[]),
            "depth": attended(lambda: of.LuongAttention(3, memory(), None)),
            "no_mechanism": attended(lambda: 3),
            "no_mechanisms": attended(lambda: [3]),
            "bad_input_function": attended(lambda: of.LuongAttention(4, memory()), cell_input_fn=3),
            "bad_probability": attended(lambda: of.LuongAttention(4, memory(), probability_fn=3)),
            "memory_rank": attended(
                lambda: of.LuongAttention(4, tf.placeholder(tf.float32, [2, None, None]))
            ),
            "beams": beams(),
            "beams_penalties": beams(length_penalty_weight=0.5, coverage_penalty_weight=0.25),
            "beams_in_order": beams(reorder_tensor_arrays=False),
        },
        "sum",
    )


def small_functions(tf, stage):
    of, old, crf = tf.contrib.seq2seq, tf.contrib.legacy_seq2seq, tf.contrib.crf
    logits = lambda: tf.constant(np.arange(12, dtype=np.float32).reshape(2, 2, 3) / 10)  # noqa: E731
    targets, weights = [[1, 0], [2, 1]], [[1.0, 0.5], [0.0, 2.0]]
    loss = of.sequence_loss
    many = lambda: [tf.constant([[0.1, 0.2], [0.3, 0.4]]), tf.constant([[1.0, 0.0], [0.5, 0.25]])]  # noqa: E731
    labels = lambda: [tf.constant([1, 0]), tf.constant([0, 0])]  # noqa: E731
    weight = lambda: [tf.constant([1.0, 0.5]), tf.constant([0.0, 2.0])]  # noqa: E731
    stage.each(
        {
            "loss": lambda: loss(logits(), tf.constant(targets), tf.constant(weights)),
            "by_time": lambda: loss(
                logits(), tf.constant(targets), tf.constant(weights), average_across_timesteps=False
            ),
            "by_batch": lambda: loss(
                logits(),
                tf.constant(targets),
                tf.constant(weights),
                average_across_batch=False,
                name="n",
            ),
            "not_averaged": lambda: loss(
                logits(), tf.constant(targets), tf.constant(weights), False, False
            ),
            "sums": lambda: loss(
                logits(),
                tf.constant(targets),
                tf.constant(weights),
                False,
                False,
                sum_over_timesteps=True,
                sum_over_batch=True,
            ),
            "sum_of_batch": lambda: loss(
                logits(),
                tf.constant(targets),
                tf.constant(weights),
                True,
                False,
                sum_over_batch=True,
            ),
            "both": lambda: loss(
                logits(), tf.constant(targets), tf.constant(weights), sum_over_timesteps=True
            ),
            "both_batch": lambda: loss(
                logits(), tf.constant(targets), tf.constant(weights), sum_over_batch=True
            ),
            "function": lambda: loss(
                logits(),
                tf.constant(targets),
                tf.constant(weights),
                softmax_loss_function=lambda labels, logits: (
                    tf.reduce_sum(logits, 1) + tf.cast(labels, tf.float32)
                ),
            ),
            "logits_rank": lambda: loss(
                tf.ones([2, 3]), tf.constant(targets), tf.constant(weights)
            ),
            "targets_rank": lambda: loss(logits(), tf.constant([1]), tf.constant(weights)),
            "weights_rank": lambda: loss(logits(), tf.constant(targets), tf.constant([1.0])),
            "tile": lambda: of.tile_batch(
                {"a": tf.constant([[1, 2], [3, 4]]), "b": tf.constant([1.0, 2.0])}, 2, "t"
            ),
            "tile_vague": lambda: of.tile_batch(tf.placeholder_with_default([1.0, 2.0], [None]), 3),
            "tile_rank": lambda: of.tile_batch(tf.placeholder_with_default([1.0, 2.0], None), 3),
            "hardmax": lambda: of.hardmax(tf.constant([[1.0, 3.0, 2.0], [4.0, 4.0, 0.0]]), "h"),
            "cumprod": lambda: of.safe_cumprod(
                tf.constant([[0.5, 0.0, 2.0]]), axis=1, exclusive=True
            ),
            "tree": lambda: of.gather_tree([[[1, 2]], [[3, 4]]], [[[0, 0]], [[1, 0]]], [2], 9),
            "monotonic": lambda: of.monotonic_attention(
                [[0.2, 0.5, 0.9]], [[1.0, 0.0, 0.0]], "parallel"
            ),
            "monotonic_steps": lambda: of.monotonic_attention(
                tf.constant([[0.2, 0.5, 0.9]]), tf.constant([[0.0, 1.0, 0.0]]), "recursive"
            ),
            "monotonic_hard": lambda: of.monotonic_attention(
                tf.constant([[0.0, 1.0, 1.0]]), tf.constant([[0.0, 1.0, 0.0]]), "hard"
            ),
            "monotonic_bad": lambda: of.monotonic_attention([[0.2]], [[1.0]], "none"),
            "old_by_example": lambda: old.sequence_loss_by_example(many(), labels(), weight()),
            "old_sums": lambda: old.sequence_loss_by_example(
                many(), labels(), weight(), False, name="n"
            ),
            "old": lambda: old.sequence_loss(many(), labels(), weight()),
            "old_not_averaged": lambda: old.sequence_loss(many(), labels(), weight(), False, False),
            "old_function": lambda: old.sequence_loss(
                many(),
                labels(),
                weight(),
                softmax_loss_function=lambda labels, logits: tf.reduce_sum(logits, 1),
            ),
            "old_lengths": lambda: old.sequence_loss(many(), labels()[:1], weight()),
            "crf": lambda: crf.crf_log_likelihood(logits(), targets, [2, 1], tf.ones([3, 3]) * 0.5),
            "crf_one": lambda: crf.crf_log_likelihood(
                logits()[:, :1], [[1], [2]], [1, 0], tf.zeros([3, 3])
            ),
            "crf_variable": lambda: crf.crf_log_likelihood(logits(), targets, tf.constant([2, 2])),
            "sequence_score": lambda: crf.crf_sequence_score(
                logits(), targets, [2, 0], tf.ones([3, 3])
            ),
            "tags_score": lambda: crf.crf_multitag_sequence_score(
                logits(),
                tf.constant([[[True, False, True], [True, True, False]]] * 2),
                [2, 1],
                tf.ones([3, 3]),
            ),
            "norm": lambda: crf.crf_log_norm(logits(), [2, 0], tf.ones([3, 3])),
            "unary": lambda: crf.crf_unary_score(tf.constant(targets), [2, 1], logits()),
            "binary": lambda: crf.crf_binary_score(
                targets, [2, 1], tf.reshape(tf.range(9.0), [3, 3])
            ),
            "decoded": lambda: crf.crf_decode(logits(), tf.reshape(tf.range(9.0), [3, 3]), [2, 1]),
            "decoded_one": lambda: crf.crf_decode(logits()[:, :1], tf.zeros([3, 3]), [1, 1]),
            "viterbi": lambda: str(
                crf.viterbi_decode(np.arange(6.0).reshape(2, 3), np.ones([3, 3]))[0]
            ),
        }
    )
