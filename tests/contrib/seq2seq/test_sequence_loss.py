"""tf.contrib.seq2seq.sequence_loss."""

import numpy as np

import tfmini as tf
from tests.contrib.seq2seq.chain import RANDOM, SYMBOLS, run
from tfmini.contrib import seq2seq


def test_weighted_averages():
    logits = RANDOM.randn(2, 3, SYMBOLS)
    targets = RANDOM.randint(0, SYMBOLS, (2, 3))
    weights = np.array([[1, 1, 0.5], [1, 0, 0]])
    logs = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
    losses = -np.take_along_axis(logs, targets[:, :, None], 2)[:, :, 0] * weights
    tensors = [tf.constant(logits), tf.constant(targets), tf.constant(weights)]

    def loss(*averages):
        return seq2seq.sequence_loss(*tensors, *averages)

    actual = run(loss(), loss(True, False), loss(False, True), loss(False, False))
    np.testing.assert_allclose(actual[0], losses.sum() / weights.sum())
    np.testing.assert_allclose(actual[1], losses.sum(axis=1) / weights.sum(axis=1))
    with np.errstate(invalid="ignore"):
        expected = np.nan_to_num(losses.sum(axis=0) / weights.sum(axis=0))
    np.testing.assert_allclose(actual[2], expected)
    np.testing.assert_allclose(actual[3], losses)
    (counted,) = run(loss(False, False, True, True))
    np.testing.assert_allclose(counted, losses.sum() / 4)
