"""SparseTensorsMap."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def test_map_copies_its_input(session):
    """The fed arrays may change later."""
    positions, values, shape = np.array([[0, 0], [1, 2]]), np.array([1.0, 2.0]), np.array([2, 4])
    fed = [tf.placeholder(dtype) for dtype in (tf.int64, tf.float64, tf.int64)]
    handles = tf.raw_ops.AddManySparseToTensorsMap(
        sparse_indices=fed[0], sparse_values=fed[1], sparse_shape=fed[2], shared_name="map"
    )
    expected = tf.placeholder(tf.int64)
    taken = tf.raw_ops.TakeManySparseFromTensorsMap(
        sparse_handles=expected, dtype=tf.float64, shared_name="map"
    )
    retained = session.run(handles, dict(zip(fed, [positions, values, shape])))
    positions[:], values[:], shape[:] = 0, 7, 9
    result = session.run(taken, {expected: retained})
    assert result.sparse_indices.tolist() == [[0, 0], [1, 2]]
    assert result.sparse_values.tolist() == [1, 2]
    assert result.sparse_shape.tolist() == [2, 4]
