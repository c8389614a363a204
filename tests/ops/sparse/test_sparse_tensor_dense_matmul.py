"""tf.sparse_tensor_dense_matmul."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def test_bfloat16_without_scipy(session):
    half = tf.SparseTensor([[0, 1], [0, 1]], tf.constant([1.0, 2.0], tf.bfloat16), [2, 2])
    product = tf.sparse_tensor_dense_matmul(half, tf.ones([2, 2], tf.bfloat16))
    assert session.run(tf.to_float(product)).tolist() == [[3, 3], [0, 0]]
