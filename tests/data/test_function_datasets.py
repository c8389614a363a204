"""Element functions whose own inputs are exhausted."""

import pytest

import tfmini as tf


def two(i):
    if i >= 2:
        raise StopIteration
    return i


def called(x):
    return tf.py_func(two, [x], tf.int64)


def test_out_of_range_in_sized_dataset():
    with tf.Graph().as_default():
        made = tf.data.experimental.map_and_batch(called, 2)
        following = tf.data.make_one_shot_iterator(tf.data.Dataset.range(4).apply(made)).get_next()
        with tf.Session() as session:
            assert session.run(following).tolist() == [0, 1]
            message = "Function invocation produced OutOfRangeError: .*StopIteration"
            with pytest.raises(tf.errors.InvalidArgumentError, match=message):
                session.run(following)
            with pytest.raises(tf.errors.OutOfRangeError, match=r"^End of sequence\n"):
                session.run(following)


def read(dataset):
    """The elements up to the end, which must not be a failure."""
    following = tf.data.make_one_shot_iterator(dataset).get_next()
    with tf.Session() as session:
        collected = []
        with pytest.raises(tf.errors.OutOfRangeError, match=r"^End of sequence\n"):
            while True:
                collected.append(session.run(following).tolist())
    return collected


def ended(**options):
    return tf.data.Dataset.range(5).map(called, **options)


DATASETS = {
    "map": (lambda: ended(), [0, 1]),
    "several at a time": (lambda: ended(num_parallel_calls=2), [0, 1]),
    "of an ended one": (lambda: ended().map(lambda x: x + 1), [1, 2]),
    "batch": (lambda: ended().batch(10), [[0, 1]]),
    "repeat": (lambda: ended().repeat(2), [0, 1, 0, 1]),
    "concatenate": (lambda: ended().concatenate(tf.data.Dataset.range(1)), [0, 1, 0]),
    "shuffle": (lambda: ended().shuffle(1), [0, 1]),
    "prefetch": (lambda: ended().prefetch(2), [0, 1]),
    "flat_map": (lambda: tf.data.Dataset.range(2).flat_map(lambda _: ended()), [0, 1, 0, 1]),
    "interleave": (
        lambda: tf.data.Dataset.range(3).interleave(lambda _: ended(), 2),
        [0, 0, 1, 1, 0, 1],
    ),
    "zip": (
        lambda: tf.data.Dataset.zip((ended(), tf.data.Dataset.range(5))).map(lambda a, b: a + b),
        [0, 2],
    ),
    "skip": (lambda: ended().skip(1), [1]),
    "ignore_errors": (lambda: ended().apply(tf.data.experimental.ignore_errors()), [0, 1]),
    "group_by_window": (
        lambda: ended().apply(
            tf.data.experimental.group_by_window(lambda x: x % 2, lambda _, d: d.batch(4), 4)
        ),
        [[0], [1]],
    ),
}


@pytest.mark.parametrize("make, inputs", DATASETS.values(), ids=DATASETS)
def test_out_of_range_ends_map(make, inputs):
    """Reading ends as after a last element, with all previous ones."""
    with tf.Graph().as_default():
        assert read(make()) == inputs


def test_out_of_range_in_reduction():
    with tf.Graph().as_default(), tf.Session() as session:
        total = ended().reduce(tf.constant(0, tf.int64), lambda total, x: total + x)
        assert session.run(total) == 1


def true(x):
    result = tf.equal(called(x), x)
    result.set_shape([])
    return result


def alone(x):
    return tf.data.Dataset.from_tensors(called(x))


REFUSED = {
    "Filter": lambda dataset: dataset.filter(true),
    "FlatMap": lambda dataset: dataset.flat_map(alone),
    "Interleave": lambda dataset: dataset.interleave(alone, 1),
    "TakeWhile": lambda dataset: dataset.apply(tf.data.experimental.take_while(true)),
    "BatchV2::Filter": lambda dataset: dataset.filter(true).batch(2),
}


@pytest.mark.parametrize("place", REFUSED)
def test_out_of_range_elsewhere_is_an_error(place):
    with tf.Graph().as_default():
        following = tf.data.make_one_shot_iterator(
            REFUSED[place](tf.data.Dataset.range(4))
        ).get_next()
        text = (
            f'^Iterator "Iterator::Model::{place}" returned `OutOfRange`. This indicates an '
            "implementation error as `OutOfRange` errors are not expected to be returned here. "
            r"Original message: .*StopIteration"
        )
        with tf.Session() as session, pytest.raises(tf.errors.InternalError, match=text):
            for _ in range(3):
                session.run(following)
