"""tf.contrib.seq2seq, legacy_seq2seq, crf: decoders, helpers and attention with rare arguments."""

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

    stage.each(
        {
            "training": basic(lambda: of.TrainingHelper(xs(), [2, 1])),
            "training_layer": basic(lambda: of.TrainingHelper(xs(), [2, 1]), dense),
            "scheduled": basic(
                lambda: of.ScheduledEmbeddingTrainingHelper(xs(), [2, 1], table(), 0.0, seed=3)
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
            "sampled": basic(lambda: of.SampleEmbeddingHelper(table(), [1, 1], 0, seed=3)),
            "time_major": decoded(
                lambda: of.BasicDecoder(cell(), of.TrainingHelper(xs(), [2, 1]), state()),
                output_time_major=True,
                impute_finished=True,
            ),
            "unlimited": decoded(
                lambda: of.BasicDecoder(cell(), of.TrainingHelper(xs(), [2, 2]), state()), most=None
            ),
            "luong": attended(lambda: of.LuongAttention(3, memory())),
            "luong_options": attended(
                lambda: of.LuongAttention(4, memory(), [1, 3], True, tf.nn.sigmoid, -5.0),
                attention_layer_size=2,
                alignment_history=True,
                output_attention=False,
                name="mine",
            ),
            "bahdanau_options": attended(
                lambda: of.BahdanauAttention(2, memory(), None, True, score_mask_value=-5.0),
                attention_layer=tf.layers.Dense(2),
                cell_input_fn=lambda x, attention: x + attention[:, :1],
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
            "bad_probability": attended(lambda: of.LuongAttention(4, memory(), probability_fn=3)),
            "memory_rank": attended(
                lambda: of.LuongAttention(4, tf.placeholder(tf.float32, [2, None, None]))
            ),
            "beams_in_order": beams(reorder_tensor_arrays=False),
        },
        "sum",
    )
