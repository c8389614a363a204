"""drop_full_gathers: ids known to be nonnegative are not filtered."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered, with_and_without
from tfmini._src.compiler.passes import drop_full_gathers

WORDS = np.array(["a", "bb", "", "a"], object)


def filtered(ids, rows, limit):
    positions = tf.reshape(tf.where(ids >= limit), [-1])
    return tf.gather(ids, positions), tf.gather(rows, positions)


@pytest.mark.parametrize(
    ("of_words", "limit", "is_gathered"),
    [
        (lambda words: tf.strings.to_hash_bucket_fast(words, 9), 0, False),
        (lambda words: tf.strings.to_hash_bucket_fast(words, 9) + 4, 4, False),
        (lambda words: tf.strings.to_hash_bucket_fast(words, 9) + 4, 5, True),
        (lambda words: tf.strings.to_hash_bucket_fast(words, 9) + (2**63 - 5), 0, True),
        (lambda words: tf.strings.length(words), 1, True),
        (
            lambda words: tf.raw_ops.Bucketize(input=tf.strings.length(words), boundaries=[1]),
            0,
            False,
        ),
    ],
)
def test_full_gather_is_dropped(monkeypatch, of_words, limit, is_gathered):
    words = tf.placeholder(tf.string, [None])
    ids = of_words(words)
    fetches = filtered(ids, tf.stack([ids, ids], 1), limit)
    assert ("GatherV2" in kinds(lowered(*fetches, feeds=[words]))) == is_gathered
    check(monkeypatch, fetches, {words: WORDS})


def test_gather_of_other_rows_is_kept(monkeypatch):
    words, rows = tf.placeholder(tf.string, [None]), tf.placeholder(tf.float32, [None, 2])
    fetches = filtered(tf.strings.to_hash_bucket_fast(words, 9), rows, 0)
    assert kinds(lowered(*fetches, feeds=[words, rows])).count("GatherV2") == 1
    check(monkeypatch, fetches, {words: WORDS, rows: np.arange(12.0).reshape(6, 2)})


def check(monkeypatch, fetches, feeds):
    got, expected = with_and_without(
        drop_full_gathers, monkeypatch, fetches, feeds, drop_full_gathers=lambda program: program
    )
    for one, other in zip(got, expected):
        np.testing.assert_array_equal(one, other)
