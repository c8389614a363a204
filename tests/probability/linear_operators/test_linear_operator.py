"""LinearOperators match their dense matrices."""

import numpy as np
import pytest

import tfmini as tf
from tests.probability.linear_operators.operators import LINALG, MATRIX, OPERATORS, X
from tests.support import cases
from tests.support.sessions import run


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=1e-5)


@cases.in_one_test
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("adjoint", [True, False])
def test_operators_match_dense_matrices(name, adjoint):
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
def test_trace_and_determinants(name):
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
        result = session.run(Dense().log_abs_determinant())
    np.testing.assert_allclose(result, np.log(2.0))
    assert "determinant" in caplog.text
