"""Segment reductions against a loop over the rows."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import registry

RANDOM = np.random.RandomState(5)

FUNCTIONS = {"Sum": (np.add, 0), "Prod": (np.multiply, 1)}


def looped(function, start, rows, ids, count):
    result = np.full((count, *rows.shape[1:]), start, rows.dtype)
    for row, i in zip(rows, ids):
        if i >= 0:
            result[i] = function(result[i], row)
    return result


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_sorted_segments(name):
    function, start = FUNCTIONS[name]
    rows = RANDOM.randint(-2, 3, (20, 3)).astype("f")
    ids = np.sort(RANDOM.randint(0, 9, 20))
    actual = registry[f"Segment{name}"].kernel(np, rows, ids)
    np.testing.assert_array_equal(actual, looped(function, start, rows, ids, ids[-1] + 1))


def test_static_shape_with_known_segment_count():
    rows = tf.placeholder(tf.float32, [None, 3])
    assert tf.unsorted_segment_sum(rows, [0, 1], 4).shape.as_list() == [4, 3]
    assert tf.segment_sum(rows, [0, 1]).shape.as_list() == [None, 3]
