"""Reordered, reshaped and transposed sparse tensors."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.compiler.program import debug


@pytest.mark.parametrize("op", [tf.sparse_reorder, lambda s: tf.sparse_reshape(s, [600, 3])])
def test_ordered_input_is_returned_and_not_overwritten(op, monkeypatch):
    """Both return their input indices, whose memory must not be reused while they are read."""
    monkeypatch.setattr(debug, "FLAGS", debug.FLAGS | {"alias"})
    x = tf.placeholder(tf.int64, [600, 3])
    indices = tf.where(x > 0)
    sparse = tf.SparseTensor(indices, tf.gather_nd(x, indices), [600, 3])
    dense = tf.sparse_tensor_to_dense(op(sparse), validate_indices=False)
    inputs = np.arange(1800).reshape(600, 3) % 5
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(dense, {x: inputs}), inputs)


pytestmark = pytest.mark.usefixtures("session")


def test_reshape_of_empty_tensor_cannot_infer(session):
    empty = tf.SparseTensor(np.zeros((0, 2), "i8"), tf.zeros([0]), [0, 3])
    shape = tf.placeholder_with_default(np.array([0, -1]), [2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot infer the missing input size"):
        session.run(tf.sparse_reshape(empty, shape).indices)
