"""LinearOperators with hints that contradict each other, and arguments that do not fit."""

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


def a_spectrum_with_zeros(tf):
    return tf.linalg.LinearOperatorCirculant([0.0, 2.0]).assert_non_singular()


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


def a_singular_tridiagonal(tf):
    return tf.linalg.tridiagonal_solve(tf.zeros([3, 3]), tf.ones([3]))


def a_tridiagonal_that_wants_pivots(tf):
    return tf.linalg.tridiagonal_solve(tf.ones([3, 3]), tf.ones([3]), partial_pivoting=False)


def a_scalar_system_of_zero(tf):
    return tf.linalg.tridiagonal_solve(tf.zeros([3, 1]), tf.ones([1]))


def tridiagonal_rows_when_run(tf):
    x = tf.placeholder_with_default(np.ones([2, 3], np.float32), [None, None])
    return tf.raw_ops.TridiagonalSolve(diagonals=x, rhs=tf.ones([3, 1]))


def tridiagonal_product_of_other_sizes(tf):
    x = tf.placeholder_with_default(np.ones([1, 2], np.float32), None)
    one = tf.ones([1, 3])
    return tf.raw_ops.TridiagonalMatMul(superdiag=one, maindiag=one, subdiag=x, rhs=tf.ones([3, 1]))


CASES = {
    "non_singular_but_not_square": lambda tf: tf.linalg.LinearOperatorFullMatrix(
        np.eye(2), is_non_singular=True, is_square=False
    ),
    "square_but_said_not_to_be": lambda tf: (
        tf.linalg.LinearOperatorFullMatrix(np.eye(2), is_square=False).is_square
    ),
    "a_vector_as_matrix": lambda tf: tf.linalg.LinearOperatorFullMatrix([1.0, 2.0]),
    "integers_as_matrix": lambda tf: tf.linalg.LinearOperatorFullMatrix([[1, 2]]),
    "a_triangle_that_is_not_square": lambda tf: tf.linalg.LinearOperatorLowerTriangular(
        np.eye(2), is_square=False
    ),
    "product_of_other_dtypes": lambda tf: tf.linalg.LinearOperatorDiag([1.0, 2.0]).matmul(
        tf.zeros([2, 1], tf.float64)
    ),
    "solution_of_wide": lambda tf: tf.linalg.LinearOperatorFullMatrix(tf.zeros([2, 3])).solve(
        tf.zeros([2, 1])
    ),
    "determinant_of_wide": lambda tf: tf.linalg.LinearOperatorFullMatrix(
        tf.zeros([2, 3])
    ).determinant(),
    "inverse_of_wide": lambda tf: tf.linalg.LinearOperatorFullMatrix(tf.zeros([2, 3])).inverse(),
    "inverse_of_singular": lambda tf: tf.linalg.LinearOperatorDiag(
        [1.0], is_non_singular=False
    ).inverse(),
    "composition_of_nothing": lambda tf: tf.linalg.LinearOperatorComposition([]),
    "module_of_no_name": lambda tf: tf.Module("no name"),
    "identity_of_float_rows": lambda tf: tf.linalg.LinearOperatorIdentity(3.0),
    "identity_of_two_rows": lambda tf: tf.linalg.LinearOperatorIdentity([2, 3]),
    "identity_of_a_scalar_batch": lambda tf: tf.linalg.LinearOperatorIdentity(3, batch_shape=2),
    "scaled_identity_not_self_adjoint": lambda tf: tf.linalg.LinearOperatorScaledIdentity(
        3, 2.0, is_self_adjoint=False
    ),
    "matmul_of_an_operator_transposed": lambda tf: tf.matmul(
        tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.eye(2), transpose_a=True
    ),
    "matmul_of_an_operator_as_sparse": lambda tf: tf.matmul(
        tf.eye(2), tf.linalg.LinearOperatorDiag([1.0, 2.0]), b_is_sparse=True
    ),
    "matmul_of_an_operator_of_another_size": lambda tf: tf.matmul(
        tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.eye(3)
    ),
    "solve_for_an_operator": lambda tf: tf.linalg.solve(
        tf.eye(2), tf.linalg.LinearOperatorDiag([1.0, 2.0])
    ),
    "logdet_of_an_operator_without_hints": lambda tf: tf.linalg.logdet(
        tf.linalg.LinearOperatorDiag([1.0, 2.0])
    ),
    "kronecker_of_nothing": lambda tf: tf.linalg.LinearOperatorKronecker([]),
    "a_flat_spectrum": lambda tf: tf.linalg.LinearOperatorCirculant2D([1.0, 2.0]),
    "a_real_spectrum_not_self_adjoint": lambda tf: tf.linalg.LinearOperatorCirculant(
        [1.0, 2.0], is_self_adjoint=False
    ),
    "a_circulant_not_square": lambda tf: tf.linalg.LinearOperatorCirculant(
        [1.0, 2.0], is_square=False
    ),
    "a_spectrum_that_is_not_hermitian": lambda tf: tf.linalg.LinearOperatorCirculant(
        [1j, 2.0]
    ).assert_hermitian_spectrum(),
    "toeplitz_of_two_sizes": lambda tf: tf.linalg.LinearOperatorToeplitz(
        [1.0, 2.0], [1.0, 2.0, 3.0]
    ),
    "toeplitz_of_a_scalar": lambda tf: tf.linalg.LinearOperatorToeplitz([1.0], 1.0),
    "toeplitz_not_square": lambda tf: tf.linalg.LinearOperatorToeplitz(
        [1.0], [1.0], is_square=False
    ),
    "a_reflection_is_not_positive": lambda tf: tf.linalg.LinearOperatorHouseholder(
        [1.0, 2.0]
    ).assert_positive_definite(),
    "zeros_of_float_columns": lambda tf: tf.linalg.LinearOperatorZeros(2, 2.0),
    "zeros_have_no_inverse": lambda tf: tf.linalg.LinearOperatorZeros(2).assert_non_singular(),
    "tridiagonal_in_no_format": lambda tf: tf.linalg.tridiagonal_solve(
        tf.ones([3, 3]), tf.ones([3]), "dense"
    ),
    "two_diagonals": lambda tf: tf.linalg.tridiagonal_solve(tf.ones([2, 3]), tf.ones([3])),
    "diagonals_as_a_vector": lambda tf: tf.linalg.tridiagonal_solve(tf.ones([3]), tf.ones([3])),
    "tridiagonal_of_other_rank": lambda tf: tf.linalg.tridiagonal_solve(
        tf.ones([3, 3]), tf.ones([3, 3, 3])
    ),
    "tridiagonal_of_other_sizes": lambda tf: tf.linalg.tridiagonal_solve(
        tf.ones([3, 3]), tf.ones([4, 1])
    ),
    "tridiagonal_of_wide": lambda tf: tf.linalg.tridiagonal_matmul(
        tf.ones([2, 3]), tf.ones([3, 1]), "matrix"
    ),
}
