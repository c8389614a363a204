"""CTC: the loss against all paths, beam search against TensorFlow's algorithm."""

import math

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.alignments import losses, readings
from tfmini._src.ops.nn.ctc import ctc_loss

RANDOM = np.random.RandomState(21)


def sparse(rows):
    positions = np.array([(b, i) for b, row in enumerate(rows) for i in range(len(row))])
    values = np.array([label for row in rows for label in row], "i4")
    return positions, values, np.array([len(rows), max(map(len, rows))])


def loss_and_gradient(logits, rows, lengths, **options):
    positions, values, shape = sparse(rows)
    with tf.Graph().as_default(), tf.Session() as session:
        tensor = tf.constant(logits)
        loss = tf.nn.ctc_loss(tf.SparseTensor(positions, values, shape), tensor, lengths, **options)
        return session.run([loss, tf.gradients(loss, tensor)[0]])


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_loss_sums_over_all_paths(seed, merge):
    random = np.random.RandomState(seed)
    time, batch, classes = random.randint(3, 6), 3, random.randint(2, 4)
    logits = random.randn(time, batch, classes) * 3
    lengths = random.randint(2, time + 1, batch)
    rows = []
    for b, length in enumerate(lengths):  # only labels that some path decodes to
        result = [key for key in readings(logits[:length, b], merge) if key]
        rows.append(result[random.randint(len(result))])
    actual = loss_and_gradient(logits, rows, lengths, ctc_merge_repeated=merge)
    positions, values, _ = sparse(rows)
    for array, expected in zip(actual, losses(merge)(logits, positions, values, lengths)):
        np.testing.assert_allclose(array, expected, rtol=1e-9, atol=1e-12)


def test_impossible_labels_have_infinite_loss():
    """The gradient is the outputs themselves."""
    logits = RANDOM.randn(2, 1, 3)
    loss, gradient = loss_and_gradient(logits, [(1, 1)], [2])
    shares = np.exp(logits) / np.exp(logits).sum(axis=2, keepdims=True)
    assert loss == [math.inf]
    np.testing.assert_allclose(gradient, shares)


def test_impossible_class_yields_no_nan():
    logits = np.zeros((3, 1, 3), "f")
    logits[:, :, 0] = -1e4
    loss, gradient = loss_and_gradient(logits, [(1,)], [3])
    assert loss == [pytest.approx(-math.log(6 / 8))]
    assert np.isfinite(gradient).all()
    loss, _ = loss_and_gradient(logits, [(0,)], [3])
    assert loss == [math.inf]


def test_labels_after_first_blank_are_ignored():
    logits = RANDOM.randn(4, 1, 3).astype("f")
    with_blanks = loss_and_gradient(logits, [(1, 2, 7)], [4])
    without = loss_and_gradient(logits, [(1,)], [4])
    np.testing.assert_array_equal(with_blanks[0], without[0])
    np.testing.assert_array_equal(with_blanks[1], without[1])
    only_blanks, _ = loss_and_gradient(logits, [(2,)], [4])
    assert only_blanks == pytest.approx([-np.log(readings(logits[:, 0])[()][0])], rel=1e-5)


def test_examples_are_independent():
    logits = RANDOM.randn(5, 3, 4)
    rows, lengths = [(0, 1), (2,), (1, 1)], [5, 2, 4]
    loss, gradient = loss_and_gradient(logits, rows, lengths)
    for b in range(3):
        alone = loss_and_gradient(logits[: lengths[b], b : b + 1], [rows[b]], [lengths[b]])
        assert loss[b] == pytest.approx(alone[0][0], rel=1e-12)
        np.testing.assert_allclose(gradient[: lengths[b], b], alone[1][:, 0], rtol=1e-9)
        assert not gradient[lengths[b] :, b].any()


def test_batch_parts_match_whole(monkeypatch):
    logits = RANDOM.randn(6, 5, 4)
    rows, lengths = [(0, 1), (2,), (1, 1), (0, 2, 0), (2, 1)], [6, 2, 4, 5, 3]
    whole = loss_and_gradient(logits, rows, lengths)
    monkeypatch.setattr(ctc_loss, "_MAX_CHUNK_STATES", 1)
    for part, array in zip(loss_and_gradient(logits, rows, lengths), whole):
        np.testing.assert_allclose(part, array, rtol=1e-12)
