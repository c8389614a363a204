"""Matrices that have no inverse, no factor or the wrong shape; equations that do not name axes; transforms too long."""

import numpy as np


def fed(tf, value, dtype=np.float32):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype), None)


def inverse_of_other_sizes_when_run(tf):
    return tf.matrix_inverse(fed(tf, [[1, 2, 3]]))


def cholesky_of_other_sizes_when_run(tf):
    return tf.cholesky(fed(tf, [[1, 2, 3]]))


def svd_gradient_of_unknown_size(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    return tf.gradients(tf.svd(x)[1], x)


def solve_of_other_batches_when_run(tf):
    return tf.matrix_solve(fed(tf, np.ones([5, 2, 2])), fed(tf, np.ones([4, 2, 1])))


def solve_of_other_ranks_when_run(tf):
    return tf.matrix_solve(fed(tf, np.ones([5, 2, 2])), fed(tf, np.ones([2, 1])))


def least_squares_op_of_lower_rank(tf):
    matrix, rhs = fed(tf, [[1, 2], [2, 4]]), fed(tf, [[1], [2]])
    return tf.raw_ops.MatrixSolveLs(matrix=matrix, rhs=rhs, l2_regularizer=0.0)


def least_squares_of_negative_weight(tf):
    eye = fed(tf, np.eye(2))
    return tf.raw_ops.MatrixSolveLs(matrix=eye, rhs=eye, l2_regularizer=-1)


def fft2d_of_a_vector_when_run(tf):
    return tf.fft2d(fed(tf, [1j, 2], np.complex64))


def rfft_of_two_lengths_when_run(tf):
    return tf.raw_ops.RFFT(input=tf.zeros([4]), fft_length=fed(tf, [4, 4], np.int32))


def irfft2d_too_long(tf):
    return tf.raw_ops.IRFFT2D(input=fed(tf, np.ones([3, 3]), np.complex64), fft_length=[3, 8])


def rfft3d_has_no_gradient(tf):
    x = tf.zeros([2, 2, 2])
    return tf.gradients(tf.signal.rfft3d(x), x)


def cross_of_two_elements_when_run(tf):
    return tf.cross(fed(tf, [1, 2]), fed(tf, [1, 2]))


def cross_of_other_shapes_when_run(tf):
    return tf.cross(fed(tf, [[1, 2, 3]]), fed(tf, [1, 2, 3]))


def cross_of_scalars_when_run(tf):
    return tf.cross(fed(tf, 1), fed(tf, 2))


def batch_matmul_of_other_batches(tf):
    x, y = fed(tf, np.ones([1, 2, 3])), fed(tf, np.ones([4, 3, 2]))
    return tf.raw_ops.BatchMatMul(x=x, y=y)


def batch_matmul_of_other_ranks(tf):
    return tf.raw_ops.BatchMatMul(x=fed(tf, np.ones([2, 3])), y=fed(tf, np.ones([4, 3, 2])))


def sparse_matmul_of_other_sizes(tf):
    return tf.matmul(fed(tf, np.ones([2, 3])), fed(tf, np.ones([2, 2])), a_is_sparse=True)


def sparse_matmul_of_three_axes(tf):
    return tf.matmul(fed(tf, np.ones([2, 3, 1])), fed(tf, np.ones([2, 2])), a_is_sparse=True)


def cholesky_slope_of_no_square(tf):
    value = fed(tf, np.ones([2, 3]))
    return tf.raw_ops.CholeskyGrad(l=value, grad=value)


def cholesky_slope_of_other_batches(tf):
    return tf.raw_ops.CholeskyGrad(l=fed(tf, np.ones([3, 2, 2])), grad=fed(tf, np.ones([2, 2, 2])))


def _einsum(tf, equation, *inputs):
    return tf.raw_ops.Einsum(inputs=inputs, equation=equation)


def einsum_op_of_another_size_when_run(tf):
    y = tf.placeholder_with_default(tf.ones([2, 3]), None)
    return _einsum(tf, "ij,jk->ik", tf.ones([2, 3]), y)


def einsum_op_of_another_rank_when_run(tf):
    y = tf.placeholder_with_default(tf.ones([3]), None)
    return _einsum(tf, "...ij,jk->...ik", y, tf.ones([2, 3]))


def einsum_op_that_drops_axes_when_run(tf):
    return _einsum(tf, "i...->i", tf.placeholder_with_default(tf.ones([2, 3]), None))


CASES = {
    "inverse_of_integers": lambda tf: tf.matrix_inverse([[1, 2], [3, 4]]),
    "determinant_of_other_sizes": lambda tf: tf.matrix_determinant(tf.zeros([2, 3])),
    "eigenvalues_of_other_sizes": lambda tf: tf.self_adjoint_eigvals(tf.zeros([4, 2, 3])),
    "svd_of_a_vector": lambda tf: tf.svd(tf.zeros([3])),
    "pinv_of_integers": lambda tf: tf.linalg.pinv([[1, 2]]),
    "pinv_of_a_vector": lambda tf: tf.linalg.pinv([1.0, 2.0]),
    "least_squares_of_complex128": lambda tf: tf.matrix_solve_ls(
        fed(tf, np.eye(2), np.complex128), np.eye(2) * 1j, 0.5
    ),
    "least_squares_of_many_weights": lambda tf: tf.raw_ops.MatrixSolveLs(
        matrix=tf.eye(2), rhs=tf.eye(2), l2_regularizer=[1.0]
    ),
    "einsum_without_letters": lambda tf: tf.einsum("1,2->3", tf.zeros([2]), tf.zeros([2])),
    "einsum_of_an_axis_twice": lambda tf: tf.einsum("ii->i", tf.zeros([2, 2])),
    "einsum_of_another_rank": lambda tf: tf.einsum("ij,jk->ik", tf.zeros([2]), tf.zeros([2, 2])),
    "einsum_of_an_unknown_axis": lambda tf: tf.einsum("ij->ik", tf.zeros([2, 2])),
    "einsum_of_other_sizes": lambda tf: tf.einsum("ij,jk->ik", tf.zeros([2, 3]), tf.zeros([2, 2])),
    "einsum_of_other_sizes_of_three": lambda tf: tf.einsum(
        "ij,ik,il->jkl", tf.zeros([2, 3]), tf.zeros([2, 2]), tf.zeros([3, 2])
    ),
    "einsum_with_a_keyword": lambda tf: tf.einsum("ij->ji", tf.zeros([2, 2]), optimize=True),
    "einsum_with_a_dot": lambda tf: tf.einsum("i.j->ji", tf.zeros([2, 2])),
    "einsum_ellipsis_of_unknown_rank": lambda tf: tf.einsum("...i->i", tf.placeholder(tf.float32)),
    "einsum_ellipsis_too_short": lambda tf: tf.einsum("...ijk->i", tf.zeros([2])),
    "fft_of_reals": lambda tf: tf.fft(tf.constant([1.0, 2.0])),
    "rfft_of_two_lengths": lambda tf: tf.raw_ops.RFFT(input=tf.zeros([4]), fft_length=[4, 4]),
    "rfft_of_complex": lambda tf: tf.signal.rfft(tf.constant([1j])),
    "rfft_of_a_scalar_length": lambda tf: tf.signal.rfft(tf.zeros([8]), 12),
    "tensordot_of_an_axis_too_many": lambda tf: tf.tensordot(
        tf.placeholder(tf.float32, [None, 3]), tf.zeros([3, 4]), [[5], [0]]
    ),
    "triangular_solve_of_other_ranks": lambda tf: tf.matrix_triangular_solve(
        tf.zeros([2, 2, 2]), tf.zeros([3, 3])
    ),
    "cross_of_other_ranks": lambda tf: tf.cross(tf.zeros([2, 2]), tf.zeros([2])),
    "exponential_of_integers": lambda tf: tf.linalg.expm(tf.constant([[1, 2], [3, 4]])),
    "exponential_of_no_squares": lambda tf: tf.linalg.expm(tf.ones([2, 3])),
    "einsum_op_without_an_arrow": lambda tf: _einsum(tf, "ij,jk", tf.ones([2, 3]), tf.ones([3, 2])),
    "einsum_op_of_three": lambda tf: _einsum(
        tf, "ij,jk,kl->il", tf.ones([2, 3]), tf.ones([3, 2]), tf.ones([2, 2])
    ),
    "einsum_op_of_fewer": lambda tf: _einsum(tf, "ij,jk->ik", tf.ones([2, 3])),
    "einsum_op_of_another_rank": lambda tf: _einsum(tf, "ij->ji", tf.ones([2, 3, 4])),
    "einsum_op_of_another_size": lambda tf: _einsum(
        tf, "ij,jk->ik", tf.ones([2, 3]), tf.ones([2, 3])
    ),
    "einsum_op_with_another_label": lambda tf: _einsum(tf, "ij->k", tf.ones([2, 3])),
    "einsum_op_with_two_periods": lambda tf: _einsum(tf, "..j->j", tf.ones([2, 3])),
    "einsum_op_with_periods_apart": lambda tf: _einsum(tf, ".i.j.->j", tf.ones([2, 3])),
    "einsum_op_that_drops_axes": lambda tf: _einsum(tf, "i...->i", tf.ones([2, 3])),
}
