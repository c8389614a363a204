"""Candidate samplers beyond golden programs: vocabulary files, sessions, rejected random words."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.numpy import candidate_sampler, random_distributions
from tfmini._src.devices.numpy.philox import seeded_stream

CLASSES = np.array([[0], [2]])


def fixed(**options):
    return tf.nn.fixed_unigram_candidate_sampler(CLASSES, 1, 8, False, 3, seed=5, **options)


def test_vocabulary_file_weights_are_the_last_column(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("the,3.5\na\tword,1\n0.25\n")
    from_file = fixed(vocab_file=str(path), distortion=0.5)
    from_list = fixed(unigrams=[3.5, 1.0, 0.25], distortion=0.5)
    with tf.Session() as session:
        for one, other in zip(*session.run([list(from_file), list(from_list)])):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "the,3\na,much\n",
            tf.errors.InvalidArgumentError,
            "Wrong vocabulary format at line: a,much",
        ),
        ("the,3\n", tf.errors.InvalidArgumentError, "range_max is 3, but there are 1 classes"),
        (None, tf.errors.NotFoundError, "words.csv"),
    ],
)
def test_invalid_vocabulary_files(tmp_path, text, error, message):
    path = tmp_path / "words.csv"
    if text is not None:
        path.write_text(text)
    with tf.Session() as session, pytest.raises(error, match=message):
        session.run(list(fixed(vocab_file=str(path))))


def test_zero_weight_classes_are_not_sampled():
    sampler = tf.nn.fixed_unigram_candidate_sampler(
        CLASSES, 1, 3, True, 3, unigrams=[1.0, 0.0, 1.0]
    )
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="too small"):
        session.run(sampler.sampled_candidates)


def test_learned_counts_are_per_session():
    sampler = tf.nn.learned_unigram_candidate_sampler(CLASSES, 1, 4, False, 3, seed=1)
    counts = []
    for _ in range(2):
        with tf.Session() as session:
            counts.append([session.run(sampler.true_expected_count)[0, 0] for _ in range(3)])
    assert counts[0] == counts[1] == pytest.approx([4 / 3, 8 / 5, 12 / 7])


@pytest.mark.parametrize("size", [3 * 2**29 + 1, 2**30 + 1])
def test_rejected_words_are_skipped(size):
    stream = seeded_stream(1, 2)
    words = [
        word
        for word in random_distributions.raw_words(np, stream, 400).tolist()
        if word > 0xFFFFFFFF % size
    ]
    assert len(words) < 400
    result = candidate_sampler._uniform_below(stream, 100, size, random_distributions.raw_words)
    np.testing.assert_array_equal(result, [word % size for word in words[:100]])


def test_rejected_word_shifts_later_buckets(monkeypatch):
    words = np.array([7, 0, 9, 11, 5, 12] * 50, np.uint32)  # 0 is rejected among 3 buckets
    monkeypatch.setattr(random_distributions, "raw_words", lambda xp, stream, size: words[:size])
    sampler = candidate_sampler.FixedUnigramSampler([1.0, 1.0, 1.0], 3)
    np.testing.assert_array_equal(sampler.sample(None, 4), [9 % 3, 5 % 3, 7 % 3, 9 % 3])


def test_accidental_hits_without_candidates():
    rows, positions, lowest = candidate_sampler.accidental_hits(CLASSES, np.zeros(0, np.int64))
    assert (rows.size, positions.size, lowest.size) == (0, 0, 0)
