"""LinearOperators do what their dense matrices do."""

import numpy as np
import pytest

import tfmini as tf

RANDOM = np.random.RandomState(1)
MATRIX = (RANDOM.uniform(-1, 1, (2, 3, 3)) + 3 * np.eye(3)).astype("f")
X = RANDOM.uniform(-1, 1, (2, 3, 2)).astype("f")
LINALG = tf.linalg

OPERATORS = {
    "lower": lambda: LINALG.LinearOperatorLowerTriangular(MATRIX),
    "diagonal": lambda: LINALG.LinearOperatorDiag(MATRIX[:, 0]),
    "full": lambda: LINALG.LinearOperatorFullMatrix(MATRIX),
    "adjoint": lambda: LINALG.LinearOperatorLowerTriangular(MATRIX).H,
    "inverse": lambda: LINALG.LinearOperatorFullMatrix(MATRIX).inverse(),
    "product": lambda: OPERATORS["lower"]().matmul(OPERATORS["full"]()),
    "solution": lambda: OPERATORS["lower"]().solve(OPERATORS["full"]()),
    "identity": lambda: LINALG.LinearOperatorIdentity(3, batch_shape=[2]),
    "scaled": lambda: LINALG.LinearOperatorScaledIdentity(3, [2.0, 0.5]),
    "positive": lambda: LINALG.LinearOperatorFullMatrix(
        MATRIX @ MATRIX.swapaxes(1, 2), is_self_adjoint=True, is_positive_definite=True
    ),
}


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetch):
    with tf.Session() as session:
        return session.run(fetch)


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=2e-3, atol=1e-4)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("adjoint", [True, False])
def test_as_dense(name, adjoint):
    operator = OPERATORS[name]()
    product, solution, vector, dense = run(
        [
            operator.matmul(X, adjoint=adjoint),
            operator.solve(X, adjoint=adjoint),
            operator.solvevec(X[..., 0], adjoint=adjoint),
            operator.to_dense(),
        ]
    )
    matrix = dense.swapaxes(1, 2) if adjoint else dense
    close(product, matrix @ X)
    close(solution, np.linalg.solve(matrix, X))
    close(vector, solution[..., 0])


@pytest.mark.parametrize("name", OPERATORS)
def test_numbers_of_matrices(name):
    operator = OPERATORS[name]()
    dense, trace, determinant, logarithm = run(
        [
            operator.to_dense(),
            operator.trace(),
            operator.determinant(),
            operator.log_abs_determinant(),
        ]
    )
    close(trace, np.trace(dense, axis1=1, axis2=2))
    close(determinant, np.linalg.det(dense))
    close(logarithm, np.linalg.slogdet(dense)[1])
    assert operator.shape == dense.shape and operator.batch_shape == (2,)


def test_cholesky():
    factor = run(OPERATORS["positive"]().cholesky().to_dense())
    close(factor @ factor.swapaxes(1, 2), MATRIX @ MATRIX.swapaxes(1, 2))


def test_a_small_operator_solves_many_right_sides():
    rhs = RANDOM.uniform(-1, 1, (5, 4, 3, 2)).astype("f")
    for operator in (
        LINALG.LinearOperatorLowerTriangular(MATRIX[0]),
        LINALG.LinearOperatorFullMatrix(MATRIX[0]),
    ):
        for adjoint in (True, False):
            solution, dense = run([operator.solve(rhs, adjoint=adjoint), operator.to_dense()])
            close((dense.T if adjoint else dense) @ solution, rhs)


def test_twice_is_once():
    operator = OPERATORS["full"]()
    assert operator.H.H is operator
    assert operator.inverse().inverse() is operator
