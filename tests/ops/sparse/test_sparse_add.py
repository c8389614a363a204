"""Sparse operands of sums, reductions and functions."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.sparse.sparse_indices import check_order

pytestmark = pytest.mark.usefixtures("session")


def test_ops_on_no_elements(session):
    empty = tf.SparseTensor(np.zeros((0, 2), "i8"), tf.zeros([0]), [2, 3])
    check_order(np, np.zeros((0, 2), "i8"), np.array([2, 3]))
    zeros = np.zeros((2, 3))
    assert (session.run(tf.sparse_tensor_to_dense(empty)) == zeros).all()
    assert (session.run(tf.sparse_add(empty, tf.ones([2, 3]))) == zeros + 1).all()
    assert (session.run(tf.sparse_tensor_dense_matmul(empty, tf.ones([3, 4]))) == 0).all()
    assert session.run(tf.sparse_reduce_sum(empty, 1)).tolist() == [0, 0]
    assert session.run(tf.sparse_reduce_sum_sparse(empty, 1)).values.size == 0
    assert session.run(tf.sparse_softmax(empty).values).size == 0
    assert session.run(tf.sparse_add(empty, empty).indices).shape == (0, 2)
    assert session.run(tf.sparse_fill_empty_rows(empty, 9.0)[0]).values.tolist() == [9, 9]
    (part, _) = tf.sparse_split(sp_input=empty, num_split=2, axis=1)
    assert session.run(part).dense_shape.tolist() == [2, 2]


def test_sparse_tensor_value_as_operand(session):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([3.0]), np.array([2, 2]))
    for dtype in ("float16", "bfloat16"):
        added = tf.sparse.add(tf.cast(tf.SparseTensor(*value), dtype), tf.ones([2, 2], dtype))
        assert session.run(tf.cast(added, tf.int32)).tolist() == [[1, 4], [1, 1]]
    assert session.run(tf.sparse_tensor_to_dense(value)).tolist() == [[0, 3], [0, 0]]
    assert session.run(tf.sparse_add(value, value)).values.tolist() == [6]


def test_fill_empty_rows_of_unsorted_tensor(session):
    """As in TensorFlow 1.15.5."""
    unsorted = tf.SparseTensor([[3, 0], [1, 2], [3, 1], [1, 0]], [1, 2, 3, 4], [5, 3])
    filled, is_empty = session.run(tf.sparse.fill_empty_rows(unsorted, 9))
    assert filled.indices.tolist() == [[0, 0], [1, 2], [1, 0], [2, 0], [3, 0], [3, 1], [4, 0]]
    assert filled.values.tolist() == [9, 2, 4, 9, 1, 3, 9]
    assert is_empty.tolist() == [True, False, True, False, True]


def test_gradient_checks_ranks(session):
    """The native merge would read past the end of shorter points."""
    flat, square = [[0], [1]], [[0, 0], [1, 0]]
    for ranks, points in (("112", (flat, flat, square)), ("221", (square, square, flat))):
        a, b, total = points
        grads = tf.raw_ops.SparseAddGrad(
            backprop_val_grad=tf.ones([2]), a_indices=a, b_indices=b, sum_indices=total
        )
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"for A, B, sum got: {ranks}"):
            session.run(grads)
