"""AttentionWrapper."""

import numpy as np
import pytest

import tfmini as tf
from tests.contrib.seq2seq.chain import run, softmax
from tfmini.contrib import seq2seq

RANDOM = np.random.RandomState(17)

MEMORY = RANDOM.randn(2, 4, 3).astype("f")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        graph.seed = 4
        yield


def test_attention_is_concatenated_to_the_input():
    mechanism = seq2seq.LuongAttention(3, MEMORY)
    inputs = tf.constant(RANDOM.randn(2, 2).astype("f"))
    inner = tf.contrib.crf.CrfForwardRnnCell(tf.zeros([3, 3]))  # adds log-sum-exp of its state

    def cell_input(given, attention):
        return attention + tf.reduce_sum(given)

    cell = seq2seq.AttentionWrapper(
        inner, mechanism, cell_input_fn=cell_input, alignment_history=True
    )
    state = cell.zero_state(2, tf.float32)
    first, state = cell(inputs, state)
    second, state = cell(inputs, state)
    given, keys, *got = run(
        inputs, mechanism.keys, first, second, state.cell_state, state.alignment_history.stack()
    )
    cell_state = np.zeros((2, 3))
    attention = np.zeros((2, 3))
    for step in range(2):
        cell_state = attention + given.sum() + np.log(np.exp(cell_state).sum(axis=1, keepdims=True))
        alignments = softmax(np.einsum("bd,btd->bt", cell_state, keys))
        attention = np.einsum("bt,btd->bd", alignments, MEMORY)
        np.testing.assert_allclose(got[step], attention, rtol=1e-4)
        np.testing.assert_allclose(got[3][step], alignments, rtol=1e-4)
    np.testing.assert_allclose(got[2], cell_state, rtol=1e-4)
