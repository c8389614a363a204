"""Functions of elements that run out of elements of their own."""

import pytest

import tfmini as tf


def two(i):
    if i >= 2:
        raise StopIteration
    return i


def called(x):
    return tf.py_func(two, [x], tf.int64)


def test_they_may_not_end_a_dataset_that_keeps_its_size():
    with tf.Graph().as_default():
        made = tf.data.experimental.map_and_batch(called, 2)
        following = tf.data.make_one_shot_iterator(tf.data.Dataset.range(4).apply(made)).get_next()
        with tf.Session() as session:
            assert session.run(following).tolist() == [0, 1]
            message = "Function invocation produced OutOfRangeError: .*StopIteration"
            with pytest.raises(tf.errors.InvalidArgumentError, match=message):
                session.run(following)
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(following)


def test_they_end_a_mapped_one():
    with tf.Graph().as_default():
        following = tf.data.make_one_shot_iterator(tf.data.Dataset.range(4).map(called)).get_next()
        with tf.Session() as session:
            assert [session.run(following) for _ in range(2)] == [0, 1]
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(following)
