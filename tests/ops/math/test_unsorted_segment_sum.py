"""Unsorted segment reductions against a loop over the rows."""

import numpy as np
import pytest

import tfmini as tf
from tests.ops.math.test_segment_sum import FUNCTIONS, looped
from tests.support import cases
from tfmini._src.graph.opdef import registry

RANDOM = np.random.RandomState(5)


def test_bfloat16_extremes():
    rows, ids = tf.cast([1.0, 3.0, 2.0], tf.bfloat16), [0, 0, 1]
    largest = tf.math.unsorted_segment_max(rows, ids, 3)
    least = tf.math.unsorted_segment_min(rows, ids, 3)
    with tf.Session() as session:
        result = session.run([tf.cast(t, tf.float32) for t in (largest, least)])
    limit = (2 - 2.0**-7) * 2.0**127  # the largest number with 8 fraction bits
    assert [row.tolist() for row in result] == [[3.0, 2.0, -limit], [1.0, 2.0, limit]]


@cases.in_one_test
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@pytest.mark.parametrize("shape", [(20,), (20, 3), (20, 2, 3), (0, 3)], ids=str)
@pytest.mark.parametrize("kind", ["f", "d", "i4", "i8"])
def test_sums_and_products(name, shape, kind):
    function, start = FUNCTIONS[name]
    rows = RANDOM.randint(-2, 3, shape).astype(kind)
    ids = RANDOM.randint(-2, 7, shape[0])
    actual = registry[f"UnsortedSegment{name}"].kernel(np, rows, ids, np.int32(7))
    assert actual.dtype == rows.dtype
    np.testing.assert_array_equal(actual, looped(function, start, rows, ids, 7))


def test_inputs_are_not_modified():
    rows, ids = np.ones((4, 2), "f"), np.array([1, 0, 1, -1])
    before = rows.copy(), ids.copy()
    registry["UnsortedSegmentSum"].kernel(np, rows, ids, np.int32(2))
    np.testing.assert_array_equal(rows, before[0])
    np.testing.assert_array_equal(ids, before[1])


def test_mean_and_sqrt_n():
    rows = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    mean = tf.unsorted_segment_mean(rows, [1, 3, 1], 4)
    root = tf.unsorted_segment_sqrt_n(rows, [1, 3, 1], 4)
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(mean), [[0, 0], [3, 4], [0, 0], [3, 4]])
        half = np.sqrt(0.5)
        expected = [[0, 0], [6 * half, 8 * half], [0, 0], [3, 4]]
        np.testing.assert_allclose(session.run(root), expected, rtol=1e-6)
