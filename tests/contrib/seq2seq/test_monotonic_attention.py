"""Monotonic attention."""

import numpy as np
import pytest

import tfmini as tf
from tests.contrib.seq2seq.chain import run, softmax
from tfmini.contrib import seq2seq

RANDOM = np.random.RandomState(17)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        graph.seed = 4
        yield


def chances(p, before):
    """From each previous stop position it continues, position by position, until it stops."""
    result = np.zeros_like(p)
    for row in range(len(p)):
        for start, chance in enumerate(before[row]):
            for location in range(start, p.shape[1]):
                result[row, location] += chance * p[row, location]
                chance *= 1 - p[row, location]
    return result


@pytest.mark.parametrize("mode", ["parallel", "recursive"])
def test_modes_against_numpy(mode):
    p = RANDOM.uniform(0.1, 0.9, (3, 6)).astype("f")
    before = softmax(RANDOM.randn(3, 6)).astype("f")
    (actual,) = run(seq2seq.monotonic_attention(p, before, mode))
    np.testing.assert_allclose(actual, chances(p, before), rtol=1e-4)


def test_hard_mode():
    p = np.array([[0, 1, 0, 1, 1], [0, 0, 0, 0, 0]], "f")
    before = np.array([[0, 0, 1, 0, 0], [0, 1, 0, 0, 0]], "f")
    (actual,) = run(seq2seq.monotonic_attention(p, before, "hard"))
    np.testing.assert_array_equal(actual, [[0, 0, 0, 1, 0], [0, 0, 0, 0, 0]])


def test_safe_cumprod():
    x = np.full((1, 8), 1e-30, "f")
    (actual,) = run(seq2seq.safe_cumprod(x, axis=1, exclusive=True))
    np.testing.assert_allclose(actual, [[1, 1e-30] + [0] * 6], rtol=1e-4)
    assert np.isfinite(actual).all()
