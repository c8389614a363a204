"""LinearOperators do what their dense matrices do."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tests.support.sessions import run

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
    "blocks": lambda: LINALG.LinearOperatorBlockDiag(
        [LINALG.LinearOperatorFullMatrix(MATRIX[:, :2, :2]), LINALG.LinearOperatorDiag([2.0])]
    ),
    "reflection": lambda: LINALG.LinearOperatorHouseholder(X[..., 0]),
    "toeplitz": lambda: LINALG.LinearOperatorToeplitz(
        MATRIX[:, 0], MATRIX[:, 0] * np.array([1, -2, 0.5], "f")
    ),
    "update": lambda: LINALG.LinearOperatorLowRankUpdate(OPERATORS["full"](), X, [0.5, -0.25]),
    "kronecker": lambda: LINALG.LinearOperatorKronecker(
        [OPERATORS["full"](), LINALG.LinearOperatorDiag([2.0])]
    ),
    "positive": lambda: LINALG.LinearOperatorFullMatrix(
        MATRIX @ MATRIX.swapaxes(1, 2), is_self_adjoint=True, is_positive_definite=True
    ),
}


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=1e-5)


@cases.in_one_test
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


def test_singular_matrix():
    with tf.Graph().as_default(), tf.Session() as session:
        matrix = tf.placeholder(tf.float64, [2, 2])
        check = LINALG.LinearOperatorFullMatrix(matrix).assert_non_singular()
        session.run(check, {matrix: [[1.0, 2.0], [3.0, 4.0]]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Singular matrix up to precision"):
            session.run(check, {matrix: [[1.0, 2.0], [2.0, 4.0]]})


def test_dense_determinant_warns(caplog):
    class Dense(LINALG.LinearOperator):
        def __init__(self):
            super().__init__(tf.float64, is_square=True)

        def _shape(self):
            return tf.TensorShape([2, 2])

        def _shape_tensor(self):
            return tf.constant([2, 2])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            matrix = tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.float64)
            return tf.matmul(matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(Dense().log_abs_determinant())
    np.testing.assert_allclose(found, np.log(2.0))
    assert "determinant" in caplog.text
