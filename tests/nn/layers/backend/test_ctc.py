import itertools

import numpy as np

import tfmini as tf
from tfmini.keras import backend


def collapsed(path, blank):
    return tuple(k for k, _ in itertools.groupby(path) if k != blank)


def likelihoods(rows):
    """The probability of each label sequence, over all paths; the last class is the blank."""
    result = {}
    for path in itertools.product(range(rows.shape[1]), repeat=len(rows)):
        labels = collapsed(path, rows.shape[1] - 1)
        result[labels] = result.get(labels, 0.0) + np.prod([r[k] for r, k in zip(rows, path)])
    return result


def probabilities():
    random = np.random.RandomState(0)
    x = np.exp(random.randn(2, 5, 4)).astype("f")
    return x / x.sum(-1, keepdims=True)


def test_loss_sums_over_all_paths():
    x = probabilities()
    labels = np.array([[1, 2, 0], [2, 1, 1]])
    losses = backend.ctc_batch_cost(
        tf.constant(labels), tf.constant(x), tf.constant([[5], [4]]), tf.constant([[2], [3]])
    )
    with tf.Session() as session:
        result = session.run(losses)
    expected = [
        -np.log(likelihoods(x[0])[1, 2]),
        -np.log(likelihoods(x[1][:4])[2, 1, 1]),
    ]
    np.testing.assert_allclose(result[:, 0], expected, rtol=1e-4)


def test_decoding():
    x = probabilities()
    greedy, _ = backend.ctc_decode(tf.constant(x), tf.constant([5, 4]))
    searched, scores = backend.ctc_decode(
        tf.constant(x), tf.constant([5, 4]), greedy=False, beam_width=200, top_paths=1
    )
    with tf.Session() as session:
        greedy, searched, scores = session.run([greedy[0], searched[0], scores])
    for row, length, best, most, score in zip(x, (5, 4), greedy, searched, scores):
        assert tuple(k for k in best if k >= 0) == collapsed(row[:length].argmax(-1), 3)
        every = likelihoods(row[:length])
        expected = max(every, key=every.get)
        assert tuple(k for k in most if k >= 0) == expected
        np.testing.assert_allclose(score[0], np.log(every[expected]), rtol=1e-4)
