"""assert_rank, assert_rank_at_least, assert_rank_in: from the static shape, else at run time."""

import pytest

import tfmini as tf


@pytest.fixture
def known():
    return tf.placeholder(tf.float32, [2, None], name="known")


@pytest.fixture
def unknown():
    return tf.placeholder(tf.float32, name="unknown")


def test_static_rank_mismatch_fails_immediately(known):
    shape = r"Received rank 2, shape \(2, \?\)$"
    text = rf"^hint.  Tensor known:0 must have rank 1.  {shape}"
    with pytest.raises(ValueError, match=text):
        tf.assert_rank(known, 1, message="hint")
    with pytest.raises(ValueError, match=rf"must have rank at least 3.  {shape}"):
        tf.assert_rank_at_least(known, 3)
    text = rf"must have rank in \(array\(3, dtype=int32\), array\(1, dtype=int32\)\).  {shape}"
    with pytest.raises(ValueError, match=text):
        tf.assert_rank_in(known, [3, 1])


def test_fed_rank_must_be_scalar(known):
    rank = tf.placeholder(tf.int32)
    op = tf.assert_rank(known, rank)
    feed = [[1.0], [2.0]]
    with tf.Session() as session:
        session.run(op, {known: feed, rank: 2})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Rank must be a scalar. Received"):
            session.run(op, {known: feed, rank: [2]})


def test_invalid_rank_argument(known):
    with pytest.raises(ValueError, match="^Rank must be a scalar.$"):
        tf.assert_rank(known, [1])
    with pytest.raises(TypeError, match="assert_rank_1/rank:0 must be of type <dtype: 'int32'>"):
        tf.assert_rank(known, 1.0)
