"""The linear chain against enumeration of all tag sequences."""

import itertools

import numpy as np
import pytest

import tfmini as tf
from tfmini.contrib import crf

RANDOM = np.random.RandomState(11)
UNARY = RANDOM.randn(3, 4, 3)
PAIRS = RANDOM.randn(3, 3)
LENGTHS = [4, 2, 1]


def score(unary, pairs, tags):
    """A sequence's score: the sum over its tags and tag pairs."""
    return sum(unary[t, tag] for t, tag in enumerate(tags)) + sum(
        pairs[a, b] for a, b in itertools.pairwise(tags)
    )


def sequences(length, tags=3):
    return list(itertools.product(range(tags), repeat=length))


def norm(unary, pairs, allowed=None):
    chosen = [
        tags
        for tags in sequences(len(unary))
        if allowed is None or all(allowed[t, tag] for t, tag in enumerate(tags))
    ]
    return np.log(sum(np.exp(score(unary, pairs, tags)) for tags in chosen))


def of_each(function, unary=UNARY, lengths=LENGTHS):
    return [function(row[:length], PAIRS) for row, length in zip(unary, lengths)]


def run(*tensors):
    with tf.Session() as session:
        return session.run(list(tensors))


def single(array):
    return tf.constant(array, tf.float32)


def test_norm_is_the_sum_over_all_sequences():
    (actual,) = run(crf.crf_log_norm(single(UNARY), tf.constant(LENGTHS), single(PAIRS)))
    np.testing.assert_allclose(actual, of_each(norm), rtol=1e-5)


def test_likelihoods_of_all_sequences_sum_to_one():
    tags = np.array(sequences(4), "i")
    unary = np.repeat(UNARY[:1], len(tags), axis=0)
    likelihood, _ = crf.crf_log_likelihood(
        single(unary), tf.constant(tags), tf.fill([len(tags)], 4), single(PAIRS)
    )
    (actual,) = run(likelihood)
    assert np.exp(actual.astype("d")).sum() == pytest.approx(1, rel=1e-5)


def test_multiple_allowed_tags():
    allowed = np.ones((3, 4, 3), bool)
    allowed[0, 1] = [True, False, True]
    allowed[1, 0] = [False, True, False]
    actual, with_one = run(
        crf.crf_multitag_sequence_score(
            single(UNARY), tf.constant(allowed), tf.constant(LENGTHS), single(PAIRS)
        ),
        crf.crf_multitag_sequence_score(
            single(UNARY[:, :1]), tf.constant(allowed[:, :1]), tf.constant([1, 1, 1]), single(PAIRS)
        ),
    )
    rows = zip(UNARY, allowed, LENGTHS)
    np.testing.assert_allclose(actual, [norm(u[:n], PAIRS, a[:n]) for u, a, n in rows], rtol=1e-5)
    rows = zip(UNARY, allowed)
    np.testing.assert_allclose(with_one, [norm(u[:1], PAIRS, a[:1]) for u, a in rows], rtol=1e-5)


def best(unary, pairs):
    return max(sequences(len(unary)), key=lambda tags: score(unary, pairs, tags))


def test_decoded_tags_are_optimal():
    tags, scores = run(*crf.crf_decode(single(UNARY), single(PAIRS), tf.constant(LENGTHS)))
    for row, line, actual, length in zip(UNARY, tags, scores, LENGTHS):
        expected = best(row[:length], PAIRS)
        assert tuple(line[:length]) == expected
        assert not line[length:].any()
        assert actual == pytest.approx(score(row, PAIRS, expected), rel=1e-5)


def test_norm_gradient_is_marginal_probability():
    unary, pairs = single(UNARY), single(PAIRS)
    total = crf.crf_log_norm(unary, tf.constant(LENGTHS), pairs)
    by_unary, by_pairs = run(*tf.gradients(total, [unary, pairs]))
    want_unary, want_pairs = np.zeros(UNARY.shape), np.zeros(PAIRS.shape)
    for b, length in enumerate(LENGTHS):
        row = UNARY[b, :length]
        for tags in sequences(length):
            chance = np.exp(score(row, PAIRS, tags) - norm(row, PAIRS))
            want_unary[b, np.arange(length), tags] += chance
            for pair in itertools.pairwise(tags):
                want_pairs[pair] += chance
    np.testing.assert_allclose(by_unary, want_unary, atol=1e-5)
    np.testing.assert_allclose(by_pairs, want_pairs, atol=1e-5)
