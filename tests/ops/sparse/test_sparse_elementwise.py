"""tf.sparse_maximum and tf.sparse_minimum."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def matrix():
    return tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])


@pytest.mark.parametrize(
    ("op", "make"),
    [
        ("SparseSparseMaximum", lambda x: tf.sparse_maximum(x, x)),
        ("SparseSparseMinimum", lambda x: tf.sparse_minimum(x, x)),
    ],
)
def test_maximum_and_minimum_have_no_gradient(op, make):
    x = matrix()
    with pytest.raises(NotImplementedError, match=f"^Gradient for {op} is currently not impl"):
        tf.gradients(make(x).values, x.values)
