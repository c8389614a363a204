"""Decoders, helpers, attention, beam search and chains of tags that are put together wrongly."""

import numpy as np


def memory(tf, batch=2):
    return tf.constant(np.ones((batch, 4, 5), "f"))


def cell(tf, units=5):
    return tf.nn.rnn_cell.GRUCell(units)


def helper(tf, batch=2):
    return tf.contrib.seq2seq.TrainingHelper(memory(tf, batch), [4] * batch)


def decode(tf, decoder, **options):
    return tf.contrib.seq2seq.dynamic_decode(decoder, **options)[0]


def iterations_that_are_no_scalar(tf):
    c = cell(tf)
    decoder = tf.contrib.seq2seq.BasicDecoder(c, helper(tf), c.zero_state(2, tf.float32))
    return decode(tf, decoder, maximum_iterations=[3])


def state_of_another_structure(tf):
    c = tf.nn.rnn_cell.LSTMCell(5)
    decoder = tf.contrib.seq2seq.BasicDecoder(c, helper(tf), [tf.zeros([2, 5])] * 2)
    return decode(tf, decoder)


def greedy_choice_of_several_outputs(tf):
    greedy = tf.contrib.seq2seq.GreedyEmbeddingHelper(lambda ids: tf.one_hot(ids, 5), [1, 2], 0)
    return greedy.sample(0, (memory(tf), memory(tf)), None)


def attention_to_a_memory_of_unknown_depth(tf):
    loose = tf.placeholder(tf.float32, [2, 4, None], name="loose")
    return tf.contrib.seq2seq.LuongAttention(5, loose)


def memory_without_length(tf):
    lengths = tf.placeholder_with_default([4, 0], [2], name="lengths")
    attention = tf.contrib.seq2seq.LuongAttention(
        5, memory(tf), lengths, custom_key_value_fn=lambda keys, values: (values, values)
    )
    return attention(tf.ones([2, 5]), None)[0]


def wrapper_with_several_sizes(tf):
    attention = tf.contrib.seq2seq.LuongAttention(5, memory(tf))
    return tf.contrib.seq2seq.AttentionWrapper(cell(tf), attention, attention_layer_size=[3, 3])


def wrapper_with_several_layers(tf):
    attention = tf.contrib.seq2seq.LuongAttention(5, memory(tf))
    layers = [tf.layers.Dense(3), tf.layers.Dense(3)]
    return tf.contrib.seq2seq.AttentionWrapper(cell(tf), attention, attention_layer=layers)


def wrapped(tf, batch=2, **options):
    attention = tf.contrib.seq2seq.LuongAttention(5, memory(tf, batch))
    return tf.contrib.seq2seq.AttentionWrapper(cell(tf), attention, name="wrapped", **options)


def beams(tf, c=None, start=(1, 2), end=0, state=None, width=3, **options):
    c = c or cell(tf)
    if state is None:
        state = c.zero_state(2 * width, tf.float32)
    table = tf.ones([5, 5])
    return tf.contrib.seq2seq.BeamSearchDecoder(c, table, start, end, state, width, **options)


def beams_from_a_state_that_is_not_tiled_when_run(tf):
    start = tf.placeholder_with_default([1, 2], [None], name="start")
    state = tf.placeholder_with_default(np.ones((2, 5), "f"), [None, 5])
    chain = tf.contrib.crf.CrfForwardRnnCell(tf.ones([5, 5]))  # a cell without variables
    decoder = beams(tf, chain, start=start, state=state)
    return decode(tf, decoder, maximum_iterations=2).predicted_ids


def tags_of_unknown_number(tf):
    loose = tf.placeholder(tf.float32, [None, None, None], name="loose")
    return tf.contrib.crf.crf_log_likelihood(loose, tf.ones([2, 3], tf.int32), tf.constant([3, 3]))


CASES = {
    "decoder_that_is_none": lambda tf: decode(tf, cell(tf)),
    "basic_decoder_of_no_helper": lambda tf: tf.contrib.seq2seq.BasicDecoder(
        cell(tf), "helper", None
    ),
    "lengths_that_are_no_vector": lambda tf: tf.contrib.seq2seq.TrainingHelper(memory(tf), 4),
    "probability_that_is_a_matrix": lambda tf: tf.contrib.seq2seq.ScheduledOutputTrainingHelper(
        memory(tf), [4, 4], [[0.5]]
    ),
    "batch_size_before_it_is_known": lambda tf: (
        tf.contrib.seq2seq.CustomHelper(None, None, None).batch_size
    ),
    "loss_of_flat_targets": lambda tf: tf.contrib.seq2seq.sequence_loss(
        tf.ones([2, 3, 4]), tf.ones([6]), tf.ones([2, 3])
    ),
    "loss_of_flat_weights": lambda tf: tf.contrib.seq2seq.sequence_loss(
        tf.ones([2, 3, 4]), tf.ones([2, 3]), tf.ones([6])
    ),
    "attention_by_no_function": lambda tf: tf.contrib.seq2seq.LuongAttention(
        5, memory(tf), probability_fn="softmax", name="attention"
    )(tf.ones([2, 5]), None),
    "query_of_another_depth": lambda tf: tf.contrib.seq2seq.LuongAttention(5, memory(tf))(
        tf.ones([2, 3], name="query"), None
    ),
    "wrapper_of_no_cell": lambda tf: tf.contrib.seq2seq.AttentionWrapper(
        tf.identity, tf.contrib.seq2seq.LuongAttention(5, memory(tf))
    ),
    "wrapper_of_no_mechanism": lambda tf: tf.contrib.seq2seq.AttentionWrapper(cell(tf), memory(tf)),
    "wrapper_of_no_mechanism_in_a_list": lambda tf: tf.contrib.seq2seq.AttentionWrapper(
        cell(tf), [memory(tf)]
    ),
    "zero_state_of_another_batch": lambda tf: wrapped(tf).zero_state(3, tf.float32),
    "initial_state_of_another_batch": lambda tf: wrapped(tf, initial_cell_state=tf.ones([3, 5])),
    "step_of_another_batch": lambda tf: wrapped(tf)(
        tf.ones([3, 2]), wrapped(tf, 3).zero_state(3, tf.float32)
    )[0],
    "step_from_the_cells_own_state": lambda tf: wrapped(tf)(tf.ones([2, 2]), tf.ones([2, 5])),
    "clone_of_another_shape": lambda tf: (
        wrapped(tf).zero_state(2, tf.float32).clone(cell_state=tf.ones([2, 6], name="other"))
    ),
    "beams_with_no_layer": lambda tf: beams(tf, output_layer=tf.identity),
    "beams_from_one_token": lambda tf: beams(tf, start=1),
    "beams_to_several_tokens": lambda tf: beams(tf, end=[0]),
    "beams_from_a_state_of_unknown_rank": lambda tf: beams(
        tf, state=tf.placeholder(tf.float32, name="state")
    ),
    "coverage_without_attention": lambda tf: decode(
        tf, beams(tf, coverage_penalty_weight=0.5), maximum_iterations=2
    ),
    "tiles_of_a_scalar": lambda tf: tf.contrib.seq2seq.tile_batch(tf.constant(1.0), 3),
}
