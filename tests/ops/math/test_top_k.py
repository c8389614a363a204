"""top_k: the order of its results."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tests.support.sessions import run

# row, k: TensorFlow 1.15.5's positions.
UNSORTED = [
    ([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9], 4, [11, 14, 12, 5]),
    ([2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4], 7, [11, 1, 5, 7, 9, 12, 3]),
    (list(range(12)), 5, [7, 8, 10, 11, 9]),
    ([1, 1, 1, 1, 1, 1], 3, [2, 1, 0]),
    ([5, 4, 3, 2, 1], 2, [1, 0]),
    ([2, 5, 1], 1, [1]),
    ([2, 5, 1], 3, [1, 0, 2]),
]


@pytest.mark.parametrize("row, k, positions", UNSORTED)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8])
def test_unsorted_order_matches_heap(row, k, positions, dtype):
    rows = np.array([row, row], dtype)
    result = tf.nn.top_k(rows, k, sorted=False)
    with tf.Session() as session:
        values, indices = session.run(result)
    assert indices.dtype == np.int32 and indices.tolist() == [positions, positions]
    np.testing.assert_array_equal(values, rows[:, positions])


def test_heap_selects_largest():
    row = np.random.RandomState(4).randn(5000).astype("f")
    result = tf.nn.top_k(row, 40, sorted=False)
    with tf.Session() as session:
        indices = session.run(result.indices)
    np.testing.assert_array_equal(np.sort(indices), np.sort(np.argsort(-row)[:40]))


def test_gpu_result_is_sorted():
    with tf.Graph().as_default(), fake_gpus(), tf.device("/gpu:0"):
        row = tf.placeholder(tf.float32, [4])
        result = tf.nn.top_k(row, 3, sorted=False)
        with tf.Session() as session:
            assert session.run(result.indices, {row: [5.0, 4.0, 9.0, 2.0]}).tolist() == [2, 0, 1]


def test_nan_and_negative_infinity():
    rows = np.array([[1, np.nan, 3], [-np.inf, -np.inf, 2]], "f")
    assert run(tf.nn.top_k(rows, 2)).indices.tolist() == [[1, 2], [2, 0]]
    assert run(tf.nn.top_k(rows, 1)).indices.tolist() == [[2], [2]]
    assert run(tf.nn.top_k(np.zeros((1, 3), "u1"), 2)).indices.tolist() == [[0, 1]]


def test_many_rows():
    values = np.random.RandomState(0).randint(0, 500, (2001, 300)).astype("f")
    positions = np.argsort(-values, axis=1, kind="stable")[:, :7]
    np.testing.assert_array_equal(run(tf.nn.top_k(values, 7)).indices, positions)
    values[1500, 3] = np.nan
    positions[1500] = [3, 84, 34, 230, 257, 258, 16]  # TensorFlow 1.15.5's
    np.testing.assert_array_equal(run(tf.nn.top_k(values, 7)).indices, positions)
