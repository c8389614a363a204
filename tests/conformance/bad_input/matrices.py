"""Singular, non-factorizable or misshapen matrices; invalid einsum equations; oversized transforms."""

import numpy as np


def fed(tf, value, dtype=np.float32):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype), None)


def svd_gradient_of_unknown_size(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    return tf.gradients(tf.svd(x)[1], x)


def least_squares_op_of_lower_rank(tf):
    matrix, rhs = fed(tf, [[1, 2], [2, 4]]), fed(tf, [[1], [2]])
    return tf.raw_ops.MatrixSolveLs(matrix=matrix, rhs=rhs, l2_regularizer=0.0)


def least_squares_of_negative_weight(tf):
    eye = fed(tf, np.eye(2))
    return tf.raw_ops.MatrixSolveLs(matrix=eye, rhs=eye, l2_regularizer=-1)


def rfft3d_has_no_gradient(tf):
    x = tf.zeros([2, 2, 2])
    return tf.gradients(tf.signal.rfft3d(x), x)


def batch_matmul_of_other_batches(tf):
    x, y = fed(tf, np.ones([1, 2, 3])), fed(tf, np.ones([4, 3, 2]))
    return tf.raw_ops.BatchMatMul(x=x, y=y)


def cholesky_slope_of_no_square(tf):
    value = fed(tf, np.ones([2, 3]))
    return tf.raw_ops.CholeskyGrad(l=value, grad=value)


def _einsum(tf, equation, *inputs):
    return tf.raw_ops.Einsum(inputs=inputs, equation=equation)


def einsum_op_of_another_size_when_run(tf):
    y = tf.placeholder_with_default(tf.ones([2, 3]), None)
    return _einsum(tf, "ij,jk->ik", tf.ones([2, 3]), y)


def einsum_op_of_another_rank_when_run(tf):
    y = tf.placeholder_with_default(tf.ones([3]), None)
    return _einsum(tf, "...ij,jk->...ik", y, tf.ones([2, 3]))
