"""Sorted and unsorted sparse indices."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.sparse.sparse_indices import keys, order

pytestmark = pytest.mark.usefixtures("session")


def test_order_within_huge_shape(session):
    far = 2**61
    positions = np.array([[far, 5, 1], [0, far, 2], [far, 5, 0]])
    assert order(np, positions).tolist() == [1, 2, 0]
    first, second = keys(np, positions, positions[::-1])
    assert first.tolist() == second[::-1].tolist()
    sparse = tf.SparseTensor(positions, [1, 2, 3], [far + 1] * 3)
    assert session.run(tf.sparse_reorder(sparse).values).tolist() == [2, 3, 1]


def test_sorted_indices_are_not_reordered():
    assert order(np, np.array([[0, 1], [0, 1], [2, 0]])) is None
    assert order(np, np.zeros((0, 2), "i8")) is None
