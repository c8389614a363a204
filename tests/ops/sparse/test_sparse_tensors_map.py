"""SparseTensorsMap."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def test_map_copies_its_input(session):
    """The fed arrays may change later."""
    places, values, shape = np.array([[0, 0], [1, 2]]), np.array([1.0, 2.0]), np.array([2, 4])
    fed = [tf.placeholder(dtype) for dtype in (tf.int64, tf.float64, tf.int64)]
    handles = tf.raw_ops.AddManySparseToTensorsMap(
        sparse_indices=fed[0], sparse_values=fed[1], sparse_shape=fed[2], shared_name="map"
    )
    wanted = tf.placeholder(tf.int64)
    taken = tf.raw_ops.TakeManySparseFromTensorsMap(
        sparse_handles=wanted, dtype=tf.float64, shared_name="map"
    )
    kept = session.run(handles, dict(zip(fed, [places, values, shape])))
    places[:], values[:], shape[:] = 0, 7, 9
    found = session.run(taken, {wanted: kept})
    assert found.sparse_indices.tolist() == [[0, 0], [1, 2]]
    assert found.sparse_values.tolist() == [1, 2]
    assert found.sparse_shape.tolist() == [2, 4]
