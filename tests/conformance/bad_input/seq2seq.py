"""Invalid combinations of decoders, helpers, attention, beam search and tag chains."""

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
