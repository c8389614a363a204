"""tf.sparse.reset_shape."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def test_reset_shape_to_the_bounding_box(session):
    found = session.run(tf.sparse.reset_shape(tf.SparseTensor([[0, 2], [1, 0]], [1, 2], [3, 4])))
    assert found.dense_shape.tolist() == [2, 3]
    empty = tf.SparseTensor(np.zeros([0, 2], np.int64), np.zeros([0]), [3, 4])
    assert session.run(tf.sparse.reset_shape(empty)).dense_shape.tolist() == [0, 0]
