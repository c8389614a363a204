"""Scheduled sampling."""

import numpy as np

import tfmini as tf
from tests.contrib.seq2seq.chain import RANDOM, SYMBOLS, run
from tfmini.contrib import seq2seq


def test_certain_sampling_is_greedy():
    """With probability 1 each next input is computed from the outputs, with 0 it is the original one."""
    values = RANDOM.randn(2, 4, SYMBOLS).astype("f")
    cell = tf.nn.rnn_cell.BasicRNNCell(SYMBOLS, name="cell")
    actual = []
    for probability in (0.0, 1.0):
        helper = seq2seq.ScheduledOutputTrainingHelper(values, [4, 4], probability)
        decoder = seq2seq.BasicDecoder(cell, helper, tf.zeros([2, SYMBOLS]))
        actual.append(seq2seq.dynamic_decode(decoder)[0].rnn_output)
    kernel, bias = cell.weights
    collected, own, kernel, bias = run(*actual, kernel, bias)
    state = chained = np.zeros((2, SYMBOLS))
    fed = values[:, 0]
    for t in range(4):
        state = np.tanh(np.concatenate([values[:, t], state], 1) @ kernel + bias)
        chained = np.tanh(np.concatenate([fed, chained], 1) @ kernel + bias)
        fed = chained
        np.testing.assert_allclose(collected[:, t], state, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(own[:, t], chained, rtol=1e-4, atol=1e-6)
