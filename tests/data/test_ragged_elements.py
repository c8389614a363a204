"""Ragged dataset elements: mapped, batched, in windows. The values are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf

Dataset = tf.data.Dataset


def upto(x):
    """Two rows: the numbers below `x`, and those below `x + 1`."""
    return tf.ragged.range(tf.stack([x, x + 1]))


def elements(dataset):
    following = dataset.make_one_shot_iterator().get_next()
    result = []
    with tf.Session() as session:
        try:
            while True:
                result.append(session.run(following))
        except tf.errors.OutOfRangeError:
            return [each.to_list() if hasattr(each, "to_list") else each for each in result]


FIRST, SECOND, THIRD = [[], [0]], [[0], [0, 1]], [[0, 1], [0, 1, 2]]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda d: d.map(upto), [FIRST, SECOND, THIRD]),
        (lambda d: d.map(upto).batch(2), [[FIRST, SECOND], [THIRD]]),
        (
            lambda d: d.map(upto).window(2).flat_map(lambda w: w.batch(2)),
            [[FIRST, SECOND], [THIRD]],
        ),
        (lambda d: d.map(upto).map(lambda r: tf.reduce_sum(r, 1)), [[0, 0], [0, 1], [1, 3]]),
        (
            lambda d: d.flat_map(lambda x: Dataset.from_tensors(upto(x)).repeat(2).batch(2)),
            [[FIRST, FIRST], [SECOND, SECOND], [THIRD, THIRD]],
        ),
    ],
    ids=["map", "batch", "window", "reduce", "flat_map"],
)
def test_ragged_results_of_functions(make, expected):
    result = elements(make(Dataset.range(3)))
    assert [np.asarray(f).tolist() if isinstance(f, np.ndarray) else f for f in result] == expected


def test_ragged_rows():
    ragged = tf.ragged.constant([[[1, 2], []], [[3]], [[4], [5, 6], [7]]])
    dataset = Dataset.from_tensor_slices(ragged)
    assert elements(dataset) == [[[1, 2], []], [[3]], [[4], [5, 6], [7]]]
    assert elements(dataset.batch(2)) == [[[[1, 2], []], [[3]]], [[[4], [5, 6], [7]]]]
    assert elements(Dataset.from_tensors(tf.ragged.constant([[1, 2], [], [3]]))) == [
        [[1, 2], [], [3]]
    ]
