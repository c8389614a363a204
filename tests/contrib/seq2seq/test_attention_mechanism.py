"""Attention against numpy; monotonic attention against chances counted one by one."""

import numpy as np
import pytest

import tfmini as tf
from tfmini.contrib import seq2seq

RANDOM = np.random.RandomState(17)
MEMORY = RANDOM.randn(2, 4, 3).astype("f")
QUERY = RANDOM.randn(2, 5).astype("f")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        graph.seed = 4
        yield


def run(*fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(fetches))


def variable(name):
    (found,) = [v for v in tf.global_variables() if v.op.name == name]
    return found


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def test_luong():
    mechanism = seq2seq.LuongAttention(5, MEMORY, [4, 2], scale=True)
    alignments, state = mechanism(tf.constant(QUERY), None)
    kernel = variable("memory_layer/kernel")
    got, weights = run(alignments, kernel)
    assert state is alignments
    keys = MEMORY @ weights
    keys[1, 2:] = 0
    scores = np.einsum("bd,btd->bt", QUERY, keys)
    scores[1, 2:] = -np.inf
    np.testing.assert_allclose(got, softmax(scores), rtol=1e-5)


def test_bahdanau():
    mechanism = seq2seq.BahdanauAttention(6, MEMORY, normalize=True)
    alignments, _ = mechanism(tf.constant(QUERY), None)
    scope = "bahdanau_attention/"
    names = ["query_layer/kernel", "attention_v", "attention_g", "attention_b"]
    got, keys, query, v, g, b = run(
        alignments, mechanism.keys, *(variable(scope + name) for name in names)
    )
    unit = g * v / np.sqrt((v * v).sum())
    scores = (unit * np.tanh(keys + (QUERY @ query)[:, None] + b)).sum(axis=2)
    np.testing.assert_allclose(got, softmax(scores), rtol=1e-4)


def chances(p, before):
    """From each place where it stopped the last time it continues, place by place, until it stops."""
    result = np.zeros_like(p)
    for row in range(len(p)):
        for start, chance in enumerate(before[row]):
            for place in range(start, p.shape[1]):
                result[row, place] += chance * p[row, place]
                chance *= 1 - p[row, place]
    return result


@pytest.mark.parametrize("mode", ["parallel", "recursive"])
def test_monotonic_attention(mode):
    p = RANDOM.uniform(0.1, 0.9, (3, 6)).astype("f")
    before = softmax(RANDOM.randn(3, 6)).astype("f")
    (got,) = run(seq2seq.monotonic_attention(p, before, mode))
    np.testing.assert_allclose(got, chances(p, before), rtol=1e-4)


def test_hard_monotonic_attention():
    p = np.array([[0, 1, 0, 1, 1], [0, 0, 0, 0, 0]], "f")
    before = np.array([[0, 0, 1, 0, 0], [0, 1, 0, 0, 0]], "f")
    (got,) = run(seq2seq.monotonic_attention(p, before, "hard"))
    np.testing.assert_array_equal(got, [[0, 0, 0, 1, 0], [0, 0, 0, 0, 0]])


def test_products_do_not_fall_to_zero_at_once():
    x = np.full((1, 8), 1e-30, "f")
    (got,) = run(seq2seq.safe_cumprod(x, axis=1, exclusive=True))
    np.testing.assert_allclose(got, [[1, 1e-30] + [0] * 6], rtol=1e-4)
    assert np.isfinite(got).all()


def test_the_wrapper_joins_what_was_found_to_the_input():
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
