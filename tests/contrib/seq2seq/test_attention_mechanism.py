"""Attention against numpy; monotonic attention against enumerated probabilities."""

import numpy as np
import pytest

import tfmini as tf
from tests.contrib.seq2seq.chain import run, softmax
from tfmini.contrib import seq2seq

RANDOM = np.random.RandomState(17)

MEMORY = RANDOM.randn(2, 4, 3).astype("f")

QUERY = RANDOM.randn(2, 5).astype("f")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        graph.seed = 4
        yield


def variable(name):
    (result,) = [v for v in tf.global_variables() if v.op.name == name]
    return result


def test_luong():
    mechanism = seq2seq.LuongAttention(5, MEMORY, [4, 2], scale=True)
    alignments, state = mechanism(tf.constant(QUERY), None)
    kernel = variable("memory_layer/kernel")
    actual, weights = run(alignments, kernel)
    assert state is alignments
    keys = MEMORY @ weights
    keys[1, 2:] = 0
    scores = np.einsum("bd,btd->bt", QUERY, keys)
    scores[1, 2:] = -np.inf
    np.testing.assert_allclose(actual, softmax(scores), rtol=1e-5)


def test_bahdanau():
    mechanism = seq2seq.BahdanauAttention(6, MEMORY, normalize=True)
    alignments, _ = mechanism(tf.constant(QUERY), None)
    scope = "bahdanau_attention/"
    names = ["query_layer/kernel", "attention_v", "attention_g", "attention_b"]
    actual, keys, query, v, g, b = run(
        alignments, mechanism.keys, *(variable(scope + name) for name in names)
    )
    unit = g * v / np.sqrt((v * v).sum())
    scores = (unit * np.tanh(keys + (QUERY @ query)[:, None] + b)).sum(axis=2)
    np.testing.assert_allclose(actual, softmax(scores), rtol=1e-4)
