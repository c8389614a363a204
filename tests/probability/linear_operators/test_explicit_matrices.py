"""Dense and triangular operators."""

import numpy as np

import tfmini as tf
from tests.support.sessions import run

RANDOM = np.random.RandomState(1)

MATRIX = (RANDOM.uniform(-1, 1, (2, 3, 3)) + 3 * np.eye(3)).astype("f")

LINALG = tf.linalg


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=1e-5)


def test_solve_with_many_right_hand_sides():
    rhs = RANDOM.uniform(-1, 1, (5, 4, 3, 2)).astype("f")
    for operator in (
        LINALG.LinearOperatorLowerTriangular(MATRIX[0]),
        LINALG.LinearOperatorFullMatrix(MATRIX[0]),
    ):
        for adjoint in (True, False):
            solution, dense = run([operator.solve(rhs, adjoint=adjoint), operator.to_dense()])
            close((dense.T if adjoint else dense) @ solution, rhs)
