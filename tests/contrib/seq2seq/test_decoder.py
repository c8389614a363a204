"""Step-by-step decoding against numpy."""

import numpy as np

import tfmini as tf
from tests.contrib.seq2seq.chain import (
    END,
    RANDOM,
    SYMBOLS,
    TABLE,
    Chain,
    log_probs,
    one_hot,
    run,
    start_state,
)
from tfmini.contrib import seq2seq


def test_greedy_decoding():
    starts = [1, 2, 3]
    cell = Chain(TABLE)
    helper = seq2seq.GreedyEmbeddingHelper(one_hot, starts, END)
    decoder = seq2seq.BasicDecoder(cell, helper, start_state(3))
    outputs, _, lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=5)
    ids, lengths = run(outputs.sample_id, lengths)
    for row, length, start in zip(ids, lengths, starts):
        before, last, expected = 3, start, []
        for _ in range(5):
            before, last = last, int(log_probs(before, last).argmax())
            expected.append(last)
            if last == END:
                break
        assert row[:length].tolist() == expected


def test_finished_sequences_keep_state_and_output_zeros():
    values = RANDOM.randn(2, 3, SYMBOLS).astype("f")
    cell = tf.nn.rnn_cell.BasicRNNCell(SYMBOLS)
    helper = seq2seq.TrainingHelper(values, [3, 1])
    decoder = seq2seq.BasicDecoder(cell, helper, tf.zeros([2, SYMBOLS]))
    outputs, state, lengths = seq2seq.dynamic_decode(decoder, impute_finished=True)
    actual, last, lengths = run(outputs.rnn_output, state, lengths)
    assert lengths.tolist() == [3, 1]
    assert not actual[1, 1:].any()
    np.testing.assert_array_equal(last[1], actual[1, 0])
    np.testing.assert_array_equal(last[0], actual[0, 2])
