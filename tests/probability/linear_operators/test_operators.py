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


def test_circulants_convolve():
    kernel = RANDOM.uniform(-1, 1, (2, 3)).astype("f")
    image = RANDOM.uniform(-1, 1, (2, 3)).astype("f")
    operator = LINALG.LinearOperatorCirculant2D(np.fft.fft2(kernel), input_output_dtype=tf.float32)
    product, dense, matrix = run(
        [operator.matvec(image.ravel()), operator.to_dense(), operator.convolution_kernel()]
    )
    want = np.fft.ifft2(np.fft.fft2(kernel) * np.fft.fft2(image)).real
    close(product, want.ravel())
    close(dense @ image.ravel(), want.ravel())
    close(matrix, kernel)


@pytest.mark.parametrize("size", [2, 5, 40])
@pytest.mark.parametrize("many", [1, 60])
def test_tridiagonal_systems(size, many):
    diagonals = RANDOM.uniform(-1, 1, (many, 3, size))
    rhs = RANDOM.uniform(-1, 1, (many, size, 2))
    dense = np.stack(
        [np.diag(d[1]) + np.diag(d[0, :-1], 1) + np.diag(d[2, 1:], -1) for d in diagonals]
    )
    close(run(LINALG.tridiagonal_matmul(tf.constant(diagonals), rhs)), dense @ rhs)
    solution = run(LINALG.tridiagonal_solve(tf.constant(diagonals), tf.constant(rhs)))
    np.testing.assert_allclose(dense @ solution, rhs, atol=1e-8)
    diagonals[:, 1] += 4
    dense += 4 * np.eye(size)
    made = LINALG.tridiagonal_solve(
        tf.constant(diagonals), tf.constant(rhs), partial_pivoting=False
    )
    np.testing.assert_allclose(dense @ run(made), rhs, atol=1e-8)


@pytest.mark.parametrize("batches", [((), ()), ((2,), ()), ((2, 1), (3,))])
def test_the_shape_of_a_product_shows_in_the_step(batches):
    arrays = [np.ones((*batch, *size)) for batch, size in zip(batches, ((3, 4), (4, 5)))]
    with tf.Graph().as_default(), tf.Session() as session:
        fed = [tf.placeholder(tf.float64) for _ in arrays]
        product = tf.linalg.LinearOperatorComposition(
            [tf.linalg.LinearOperatorFullMatrix(matrix) for matrix in fed]
        )
        found = session.run(product.shape_tensor(), dict(zip(fed, arrays)))
    assert tuple(found) == (arrays[0] @ arrays[1]).shape


def test_a_batch_of_identities_that_shows_in_the_step():
    with tf.Graph().as_default(), tf.Session() as session:
        batch = tf.placeholder(tf.int32, [None])
        same = tf.linalg.LinearOperatorIdentity(3, batch_shape=batch).matmul(X[0])
        scaled = tf.linalg.LinearOperatorScaledIdentity(3, tf.fill(batch, 2.0)).matmul(X[0])
        for sizes in ([2], [2, 4], []):
            wanted = np.broadcast_to(X[0], (*sizes, 3, 2))
            found = session.run([same, scaled], {batch: sizes})
            np.testing.assert_array_equal(found[0], wanted)
            np.testing.assert_array_equal(found[1], 2 * wanted)


def test_a_circulant_matrix_of_three_dimensions():
    """The matrix of a convolution with a kernel whose transform is the spectrum."""
    spectrum = np.fft.fftn(np.arange(8.0).reshape(2, 2, 2))
    with tf.Graph().as_default(), tf.Session() as session:
        operator = LINALG.LinearOperatorCirculant3D(
            spectrum.astype(np.complex128), input_output_dtype=tf.complex128
        )
        found = session.run(operator.to_dense())
    assert operator.block_depth == 3
    for column in range(8):
        impulse = np.zeros(8)
        impulse[column] = 1.0
        wanted = np.fft.ifftn(spectrum * np.fft.fftn(impulse.reshape(2, 2, 2)))
        np.testing.assert_allclose(found[:, column], wanted.ravel(), atol=1e-12)


def test_a_singular_matrix_is_told():
    with tf.Graph().as_default(), tf.Session() as session:
        matrix = tf.placeholder(tf.float64, [2, 2])
        check = LINALG.LinearOperatorFullMatrix(matrix).assert_non_singular()
        session.run(check, {matrix: [[1.0, 2.0], [3.0, 4.0]]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Singular matrix up to precision"):
            session.run(check, {matrix: [[1.0, 2.0], [2.0, 4.0]]})


def test_a_determinant_of_the_dense_matrix_is_warned_of(caplog):
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


@pytest.mark.parametrize(
    "hints, kind",
    [
        ({"is_positive_definite": True}, "not positive-definite"),
        ({"is_non_singular": True}, "singular"),
        ({"is_self_adjoint": False}, "self adjoint"),
    ],
)
def test_hints_that_contradict_zeros(hints, kind):
    with pytest.raises(ValueError, match=f"^A zero operator is always {kind}.$"):
        tf.linalg.LinearOperatorZeros(3, **hints)
    tf.linalg.LinearOperatorZeros(3, 2, is_self_adjoint=False, is_square=False)


def test_double_precision_is_kept():
    column, row = RANDOM.uniform(1, 2, 5), RANDOM.uniform(-0.1, 0.1, 5)
    dense = np.array([[row[j - i] if j > i else column[i - j] for j in range(5)] for i in range(5)])
    around = np.stack([np.roll(column, n) for n in range(5)], axis=1)
    x = RANDOM.uniform(-1, 1, (5, 2))
    spectrum = np.fft.fft(column)
    toeplitz = LINALG.LinearOperatorToeplitz(column, row)
    circulant = LINALG.LinearOperatorCirculant(spectrum, tf.float64)
    even = LINALG.LinearOperatorCirculant(spectrum.real, tf.float64)
    of_even = np.stack([np.roll(np.fft.ifft(spectrum.real).real, n) for n in range(5)], axis=1)
    for operator, matrix in ((toeplitz, dense), (circulant, around), (even, of_even)):
        product, turned = run([operator.matmul(x), operator.matmul(x, adjoint=True)])
        np.testing.assert_allclose(product, matrix @ x, rtol=0, atol=1e-13)
        np.testing.assert_allclose(turned, matrix.T @ x, rtol=0, atol=1e-13)
