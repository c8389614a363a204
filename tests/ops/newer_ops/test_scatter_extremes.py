"""scatter_nd maximum and minimum."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

INDICES = [[1], [1], [3]]


@pytest.mark.parametrize("kind", ["f", "d", "i", "l"])
def test_extremes_of_repeated_points(kind):
    inputs, updates = np.array([5, 5, 5, 5], kind), np.array([7, 9, 2], kind)
    with tf.Graph().as_default(), tf.Session() as session:
        made = [f(inputs, INDICES, updates) for f in (raw.TensorScatterMax, raw.TensorScatterMin)]
        larger, smaller = session.run(made)
        assert [m.shape.as_list() for m in made] == [[4], [4]]
    assert larger.dtype == smaller.dtype == kind
    assert larger.tolist() == [5, 9, 5, 5] and smaller.tolist() == [5, 5, 5, 2]
    assert inputs.tolist() == [5] * 4


def test_row_updates():
    inputs = np.float32([[1, 8], [5, 5]])
    with tf.Graph().as_default(), tf.Session() as session:
        made = [
            f(inputs, [[0]], np.float32([[4, 4]]), bad_indices_policy="ERROR")
            for f in (raw.TensorScatterMax, raw.TensorScatterMin)
        ]
        larger, smaller = session.run(made)
    assert larger.tolist() == [[4, 8], [5, 5]] and smaller.tolist() == [[1, 4], [5, 5]]


def test_out_of_range_points_and_unknown_policies():
    with tf.Graph().as_default(), tf.Session() as session:
        made = raw.TensorScatterMax([1.0, 2.0], [[2]], [5.0])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[0\] = \[2\]"):
            session.run(made)
        with pytest.raises(
            (tf.errors.InvalidArgumentError, ValueError), match="DEFAULT or ERROR, got IGNORE"
        ):
            session.run(raw.TensorScatterMin([1.0, 2.0], [[1]], [5.0], bad_indices_policy="IGNORE"))
