"""Sparse maximum, minimum and sum with a dense tensor."""

import pytest

import tfmini as tf
from tfmini._src.ops.sparse.sparse_elementwise import sparse_dense_cwise_add

pytestmark = pytest.mark.usefixtures("session")


def matrix():
    return tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])


@pytest.mark.parametrize(
    ("op", "make"),
    [
        ("SparseDenseCwiseAdd", lambda x: sparse_dense_cwise_add(x, [1.0, 2.0, 3.0, 4.0])),
        ("SparseSparseMaximum", lambda x: tf.sparse_maximum(x, x)),
        ("SparseSparseMinimum", lambda x: tf.sparse_minimum(x, x)),
    ],
)
def test_sparse_dense_ops_have_no_gradient(op, make):
    x = matrix()
    with pytest.raises(NotImplementedError, match=f"^Gradient for {op} is currently not impl"):
        tf.gradients(make(x).values, x.values)
