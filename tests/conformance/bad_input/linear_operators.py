"""LinearOperators with contradictory hints and mismatched arguments."""

import numpy as np


def product_with_an_operator_of_other_size(tf):
    a, b = tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.linalg.LinearOperatorDiag([1.0, 2.0, 3.0])
    return a.matmul(b)


def adjoint_with_another_hint(tf):
    a = tf.linalg.LinearOperatorDiag([1.0], is_non_singular=True)
    return tf.linalg.LinearOperatorAdjoint(a, is_non_singular=False)


def inversion_of_singular(tf):
    a = tf.linalg.LinearOperatorDiag([1.0], is_non_singular=False)
    return tf.linalg.LinearOperatorInversion(a)


def blocks_of_two_dtypes(tf):
    a, b = (tf.linalg.LinearOperatorDiag(tf.ones([2], dtype)) for dtype in (tf.float32, tf.float64))
    return tf.linalg.LinearOperatorBlockDiag([a, b])


def a_wide_block(tf):
    wide = tf.linalg.LinearOperatorFullMatrix(tf.ones([2, 3]))
    return tf.linalg.LinearOperatorBlockDiag([wide])


def blocks_denied(tf):
    a = tf.linalg.LinearOperatorDiag([1.0], is_positive_definite=True)
    return tf.linalg.LinearOperatorBlockDiag([a], is_positive_definite=False)


def kronecker_denied(tf):
    a = tf.linalg.LinearOperatorDiag([1.0], is_positive_definite=True)
    return tf.linalg.LinearOperatorKronecker([a], is_positive_definite=False)


def kronecker_of_wide_is_singular(tf):
    wide = tf.linalg.LinearOperatorFullMatrix(tf.ones([2, 3]))
    return tf.linalg.LinearOperatorKronecker([wide]).assert_non_singular()


def an_update_of_negative_ones(tf):
    a = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    return tf.linalg.LinearOperatorLowRankUpdate(a, [[1.0], [1.0]], is_diag_update_positive=False)


def an_update_not_self_adjoint(tf):
    a = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    return tf.linalg.LinearOperatorLowRankUpdate(a, [[1.0], [1.0]], is_self_adjoint=False)


def an_update_not_positive(tf):
    a = tf.linalg.LinearOperatorDiag([1.0, 2.0], is_positive_definite=True)
    return tf.linalg.LinearOperatorLowRankUpdate(a, [[1.0], [1.0]], is_positive_definite=False)


def an_update_of_another_size(tf):
    a = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    return tf.linalg.LinearOperatorLowRankUpdate(a, [[1.0], [1.0], [1.0]])


def an_update_of_a_singular_operator(tf):
    a = tf.linalg.LinearOperatorDiag([1.0, 0.0], is_non_singular=False)
    return tf.linalg.LinearOperatorLowRankUpdate(a, [[1.0], [1.0]]).solve([[1.0], [1.0]])


def zeros_times_wide(tf):
    wide = tf.linalg.LinearOperatorFullMatrix(tf.ones([2, 3]))
    return tf.linalg.LinearOperatorZeros(2).matmul(wide)


def a_short_main_diagonal(tf):
    x = [tf.ones([4]), tf.ones([3]), tf.ones([3])]
    return tf.linalg.tridiagonal_solve(x, tf.ones([3]), "sequence")


def tridiagonal_rows_when_run(tf):
    x = tf.placeholder_with_default(np.ones([2, 3], np.float32), [None, None])
    return tf.raw_ops.TridiagonalSolve(diagonals=x, rhs=tf.ones([3, 1]))


def tridiagonal_product_of_other_sizes(tf):
    x = tf.placeholder_with_default(np.ones([1, 2], np.float32), None)
    one = tf.ones([1, 3])
    return tf.raw_ops.TridiagonalMatMul(superdiag=one, maindiag=one, subdiag=x, rhs=tf.ones([3, 1]))
