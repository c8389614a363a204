"""Samples of logits."""

import numpy as np
import pytest

import tfmini as tf
from tfmini.contrib import seq2seq

RANDOM = np.random.RandomState(23)

SYMBOLS, END = 4, 0


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        graph.seed = 9
        yield


def run(*fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(fetches))


class Chain(tf.nn.rnn_cell.RNNCell):
    """A cell without weights: logits of the next symbol by the last two, a table [last, before, next]."""

    def __init__(self, table):
        super().__init__()
        self._table = tf.constant(table, tf.float32)

    state_size = SYMBOLS
    output_size = SYMBOLS

    def call(self, inputs, state):
        logits = tf.einsum("bi,bj,ijk->bk", inputs, state, self._table)
        return logits, inputs


TABLE = RANDOM.randn(SYMBOLS, SYMBOLS, SYMBOLS)


def one_hot(ids):
    return tf.one_hot(ids, SYMBOLS)


def start_state(count):
    return tf.one_hot(tf.fill([count], 3), SYMBOLS)


def test_draws_follow_the_softmax():
    logits = np.log([0.1, 0.2, 0.3, 0.4])
    cell = Chain(np.broadcast_to(logits, TABLE.shape))
    count = 4000
    helper = seq2seq.SampleEmbeddingHelper(one_hot, tf.fill([count], 1), 99, seed=5)
    decoder = seq2seq.BasicDecoder(cell, helper, start_state(count))
    (ids,) = run(seq2seq.dynamic_decode(decoder, maximum_iterations=1)[0].sample_id)
    # Within four deviations of what 4,000 draws give.
    np.testing.assert_allclose(np.bincount(ids[:, 0]) / count, [0.1, 0.2, 0.3, 0.4], atol=0.03)
