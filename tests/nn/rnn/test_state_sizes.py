"""Concatenated state sizes."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.nn.rnn.state_sizes import concat_sizes, infer_batch_size, swap_batch_and_time


@pytest.mark.parametrize(
    "prefix, suffix, expected",
    [
        (3, 4, [3, 4]),
        (3, tf.TensorShape([4, 5]), [3, 4, 5]),
        ([2, 3], 4, [2, 3, 4]),
        (tf.TensorShape([]), 4, [4]),
        (3, (), [3]),
    ],
)
def test_known_sizes(prefix, suffix, expected):
    assert concat_sizes(prefix, suffix, static=True) == expected
    with tf.Session() as session:
        assert session.run(concat_sizes(prefix, suffix)).tolist() == expected


def test_tensor_sizes():
    rows = tf.placeholder(tf.int32, [])
    more = tf.placeholder(tf.int32, [2])
    with tf.Session() as session:
        assert session.run(concat_sizes(rows, 4), {rows: 3}).tolist() == [3, 4]
        assert session.run(concat_sizes(rows, more), {rows: 3, more: [1, 2]}).tolist() == [3, 1, 2]
    assert concat_sizes(rows, 4, static=True) is None
    assert concat_sizes(tf.constant(3), 4, static=True) == [3, 4]
    assert concat_sizes(3, tf.constant([4, 5]), static=True) == [3, 4, 5]


def test_unknown_sizes():
    assert concat_sizes([None, 2], 4, static=True) == [None, 2, 4]
    assert concat_sizes(None, 4, static=True) is None
    with pytest.raises(ValueError, match="Provided a prefix or suffix of None: None and 4"):
        concat_sizes(None, 4)


@pytest.mark.parametrize("role", ["prefix", "suffix"])
def test_matrix_sizes_are_refused(role):
    sizes = {"prefix": 1, "suffix": 1, role: tf.constant([[1]])}
    with pytest.raises(ValueError, match=f"{role} tensor must be either a scalar or vector"):
        concat_sizes(sizes["prefix"], sizes["suffix"])


def test_batch_sizes():
    unknown = tf.placeholder(tf.float32)
    assert infer_batch_size([unknown, tf.zeros([5, 3, 2])]) == 3
    with tf.Session() as session:
        size = infer_batch_size([unknown, tf.placeholder(tf.float32, [5, None])])
        assert session.run(size, {unknown: np.zeros([2, 7])}) == 7
    with pytest.raises(ValueError, match="to have rank at least 2"):
        infer_batch_size([tf.zeros([5])])


def test_time_and_batch_axes_are_swapped():
    x = np.arange(24).reshape(2, 3, 4)
    vector = tf.constant([1, 2])
    assert swap_batch_and_time(vector) is vector
    tensor = tf.placeholder(tf.int64, [None, 3, 4])
    swapped = swap_batch_and_time(tensor)
    assert swapped.shape.as_list() == [3, None, 4]
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(swapped, {tensor: x}), x.transpose(1, 0, 2))
