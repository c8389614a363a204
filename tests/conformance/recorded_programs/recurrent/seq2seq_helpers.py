"""Helpers: training inputs, scheduled sampling, greedy and sampled ids, custom functions; lengths and draws."""

import numpy as np


def build(tf):
    s2s = tf.contrib.seq2seq
    random = np.random.RandomState(9)
    values = random.randn(3, 4, 5).astype("f")
    inputs = tf.constant(values, name="inputs")
    lengths = tf.placeholder_with_default([4, 2, 0], [None], name="lengths")
    table = tf.get_variable("table", [5, 5])
    cell = tf.nn.rnn_cell.BasicRNNCell(5)
    start = cell.zero_state(3, tf.float32)
    steps = [("init", None)]
    facts = {}

    def run(label, helper, layer=None, **options):
        decoder = s2s.BasicDecoder(cell, helper, start, layer)
        # One iteration at a time: parallel ones would race for random numbers.
        outputs, state, counted = s2s.dynamic_decode(
            decoder, scope=label, parallel_iterations=1, **options
        )
        steps.append((label, [outputs, state, counted]))
        facts[label] = [str(t.shape) for t in list(outputs) + [counted]]
        facts[label].append(str(decoder.output_size) + str(decoder.output_dtype))
        return outputs

    given = run("given", s2s.TrainingHelper(inputs, lengths), impute_finished=True)
    steps.append(("slope", tf.gradients(given.rnn_output, inputs)))
    by_time = tf.transpose(inputs, [1, 0, 2])
    run("by_time", s2s.TrainingHelper(by_time, lengths, time_major=True), output_time_major=True)
    run("short", s2s.TrainingHelper(inputs, lengths), maximum_iterations=2)
    run(
        "embedded",
        s2s.ScheduledEmbeddingTrainingHelper(
            inputs, lengths, table, 0.5, seed=3, scheduling_seed=4
        ),
    )
    run(
        "embedded_each",
        s2s.ScheduledEmbeddingTrainingHelper(
            inputs, [4, 2, 4], lambda ids: tf.one_hot(ids, 5), 0.5, name="each"
        ),
    )
    run("outputs", s2s.ScheduledOutputTrainingHelper(inputs, lengths, 0.7, seed=5))
    run(
        "made",
        s2s.ScheduledOutputTrainingHelper(
            inputs, [4, 4, 4], 0.5, seed=6, next_inputs_fn=lambda outputs: outputs * 2.0
        ),
    )
    narrow = inputs[:, :, :3]
    extra = inputs[:, :, 3:]
    run(
        "joined",
        s2s.ScheduledOutputTrainingHelper(
            narrow,
            [4, 4, 3],
            0.6,
            seed=7,
            auxiliary_inputs=extra,
            next_inputs_fn=lambda o: o[:, :3],
        ),
    )
    thin = tf.nn.rnn_cell.BasicRNNCell(3, name="thin")
    decoder = s2s.BasicDecoder(
        thin,
        s2s.ScheduledOutputTrainingHelper(narrow, [4, 4, 3], 0.6, seed=8, auxiliary_inputs=extra),
        thin.zero_state(3, tf.float32),
    )
    steps.append(("thin", s2s.dynamic_decode(decoder, scope="thin", parallel_iterations=1)[0]))
    dense = tf.layers.Dense(5, name="dense")
    tokens = tf.constant([1, 2, 3], name="tokens")
    run("greedy", s2s.GreedyEmbeddingHelper(table, tokens, 0), dense, maximum_iterations=5)
    run(
        "greedy_function",
        s2s.GreedyEmbeddingHelper(lambda ids: tf.one_hot(ids, 5), [1, 2, 3], 4),
        dense,
        maximum_iterations=tf.constant(3),
    )
    run("drawn", s2s.SampleEmbeddingHelper(table, tokens, 0, seed=2), dense, maximum_iterations=6)
    run(
        "warm",
        s2s.SampleEmbeddingHelper(table, tokens, 0, softmax_temperature=3.0),
        dense,
        maximum_iterations=6,
    )
    run(
        "inference",
        s2s.InferenceHelper(
            lambda outputs: tf.sign(outputs),
            [5],
            tf.float32,
            tf.zeros([3, 5]),
            lambda ids: tf.reduce_sum(ids, 1) > 2.0,
        ),
        maximum_iterations=4,
    )
    run(
        "inference_made",
        s2s.InferenceHelper(
            lambda outputs: tf.argmax(outputs, 1),
            [],
            tf.int64,
            tf.ones([3, 5]),
            lambda ids: tf.equal(ids, 4),
            next_inputs_fn=lambda ids: tf.one_hot(ids, 5),
        ),
        maximum_iterations=4,
    )
    run(
        "custom",
        s2s.CustomHelper(
            initialize_fn=lambda: (tf.constant([False, False, True]), inputs[:, 0]),
            sample_fn=lambda time, outputs, state: outputs > 0.0,
            next_inputs_fn=lambda time, outputs, state, sample_ids: (
                tf.fill([3], time > 1),
                outputs * tf.cast(sample_ids, tf.float32),
                state + 1.0,
            ),
            sample_ids_shape=[5],
            sample_ids_dtype=tf.bool,
        ),
    )
    steps[0] = ("init", tf.global_variables_initializer())
    return {"steps": steps, "facts": facts}
