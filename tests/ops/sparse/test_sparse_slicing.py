"""tf.sparse_split and tf.sparse.slice."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def matrix():
    return tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])


def test_split_into_many_parts(session):
    count = 20_000
    rows = np.stack([np.repeat([0, 1], count), np.tile(np.arange(count), 2)], 1)[::7]
    values = np.arange(len(rows))
    split = tf.raw_ops.SparseSplit(
        split_dim=1, indices=rows, values=values, shape=[2, count], num_split=count // 3
    )
    for number in (0, 1, 2, count // 3 - 1):  # 6666 parts, the first two longer by one
        start = 3 * number + min(number, 2)
        length = 3 + (number < 2)
        inside = (rows[:, 1] >= start) & (rows[:, 1] < start + length)
        result = session.run([parts[number] for parts in split])
        np.testing.assert_array_equal(result[0], rows[inside] - [0, start])
        np.testing.assert_array_equal(result[1], values[inside])
        np.testing.assert_array_equal(result[2], [2, length])


@pytest.mark.parametrize(
    "start, size, expected",
    [([1, 5], [2, 2], [2, 0]), ([3, 0], [1, 4], [0, 4]), ([2, 3], [9, 1], [1, 1])],
)
def test_slice_past_the_end_is_empty(session, start, size, expected):
    result = session.run(tf.sparse.slice(matrix(), start, size))
    assert result.dense_shape.tolist() == expected
