"""Square matrix decompositions: equations, determinants, eigenvalues, and matrix functions."""

import numpy as np

from tests.conformance.samples import Sample
from tests.support.lazy_modules import scipy

A = np.array([[2, -1, 0.5], [0.25, 3, 1], [-0.5, 0.75, 1.5]], np.float32)
STACK = np.stack([A, A.T + np.eye(3, dtype="f"), A - 3 * np.eye(3, dtype="f")])
SIDE = np.array([[1, 2], [-1, 0.5], [3, 0.25]], np.float32)
SIDES = np.stack([SIDE, -SIDE, SIDE + 1])
POSITIVE = STACK @ np.swapaxes(STACK, 1, 2) + np.eye(3, dtype="f")
BANDS = np.stack([A[::-1] + 1, A - 1, A[[1, 0, 2]] * 2])
COMPLEX = (A + 0.5j * A.T).astype("F")
HERMITIAN = (COMPLEX @ COMPLEX.conj().T + np.eye(3)).astype("F")
TALL = np.array([[1, 2], [0.5, -1], [3, 0.25], [-1, 1.5]], np.float32)
TALL_SIDE = np.array([[1], [2], [-1], [0.5]], np.float32)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def band_matrix(bands):
    """The matrix whose diagonals are the rows of `bands`: above, main, below."""
    made = bands[..., 1, :, None] * np.eye(bands.shape[-1], dtype=bands.dtype)
    for i in range(bands.shape[-1] - 1):
        made[..., i, i + 1] = bands[..., 0, i]
        made[..., i + 1, i] = bands[..., 2, i + 1]
    return made


def determinant(value):
    return np.linalg.slogdet(value)


def cholesky_gradient(factor, grad):
    """The derivative, by differences in double precision, of sum(grad * cholesky(x)), x symmetric."""
    x = factor.astype("d") @ factor.T.astype("d")
    made = np.zeros_like(x)
    for i, j in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[i, j] += 5e-7
        step[j, i] += 5e-7
        change = np.linalg.cholesky(x + step) - np.linalg.cholesky(x - step)
        made[i, j] = (grad * change).sum() / 2e-6
    return made


def pieces(value):
    permutation, lower, upper = scipy.linalg.lu(value)
    return lower - np.eye(len(value)) + upper, permutation.argmax(axis=0).astype("i4")


# TensorFlow's gradient of MatrixInverse ignores `adjoint`, so second gradients of determinants are wrong;
# programs/linalg_solving.py records them as they are.
SAMPLES = [
    Sample("MatrixInverse", [STACK], expect=np.linalg.inv, gradient=[0]),
    Sample("MatrixInverse", [COMPLEX], {"adjoint": True}, lambda x: np.linalg.inv(adjoint(x)),
           note="complex adjoint", gradient=()),
    Sample("MatrixInverse", [A.astype("e")], expect=np.linalg.inv(A), note="half"),
    Sample("MatrixInverse", [np.zeros((0, 0), "f")], expect=np.zeros((0, 0), "f"), note="empty"),
    Sample("MatrixSolve", [STACK, SIDES], expect=np.linalg.solve, gradient=[0, 1]),
    Sample("MatrixSolve", [COMPLEX, SIDE.astype("F")], {"adjoint": True},
           lambda a, b: np.linalg.solve(adjoint(a), b), [1], note="complex adjoint"),
    Sample("MatrixSolveLs", [TALL, TALL_SIDE, np.float64(0)], tolerance=1e-4,
           expect=lambda a, b, _: np.linalg.lstsq(a, b, rcond=None)[0], gradient=[0, 1]),
    Sample("MatrixSolveLs", [TALL.T, TALL_SIDE[:2], np.float64(0)], tolerance=1e-4,
           expect=lambda a, b, _: np.linalg.lstsq(a, b, rcond=None)[0], gradient=[0, 1], note="wide"),
    Sample("MatrixSolveLs", [TALL, TALL_SIDE, np.float64(0.5)], tolerance=1e-4, gradient=[0, 1],
           expect=lambda a, b, _: np.linalg.solve(a.T @ a + 0.5 * np.eye(2, dtype="f"), a.T @ b),
           note="regularized"),
    Sample("MatrixSolveLs", [TALL @ TALL.T, TALL_SIDE, np.float64(0)], {"fast": False}, tolerance=1e-4,
           expect=lambda a, b, _: np.linalg.lstsq(a, b, rcond=1e-5)[0], note="of lower rank", gradient=()),
    Sample("TridiagonalMatMul", [BANDS[:, :1], BANDS[:, 1:2], BANDS[:, 2:], SIDES], gradient=[0, 1, 2, 3],
           expect=lambda a, b, c, x: band_matrix(np.concatenate([a, b, c], 1)) @ x),
    Sample("TridiagonalSolve", [BANDS, SIDES], gradient=[0, 1], tolerance=1e-4,
           expect=lambda bands, x: np.linalg.solve(band_matrix(bands), x)),
    Sample("TridiagonalSolve", [COMPLEX, SIDE.astype("F")], {"partial_pivoting": False}, gradient=(),
           expect=lambda bands, x: np.linalg.solve(band_matrix(bands), x), note="complex, no pivoting"),
    Sample("Cholesky", [POSITIVE], expect=np.linalg.cholesky, tolerance=1e-4, gradient=()),
    Sample("Cholesky", [HERMITIAN], expect=np.linalg.cholesky, tolerance=1e-4, note="complex", gradient=()),
    Sample("CholeskyGrad", [np.linalg.cholesky(POSITIVE[0]), SIDE @ SIDE.T], tolerance=1e-4,
           expect=cholesky_gradient),
    Sample("Lu", [A[::-1]], expect=pieces),
    Sample("MatrixDeterminant", [STACK], expect=np.linalg.det, gradient=[0], order=1),
    Sample("MatrixDeterminant", [COMPLEX], expect=np.linalg.det, note="complex", gradient=()),
    Sample("MatrixDeterminant", [np.ones((2, 2), "f")], expect=np.float32(0), note="singular", gradient=()),
    Sample("LogMatrixDeterminant", [STACK], expect=determinant, gradient=[0], order=1),
    Sample("LogMatrixDeterminant", [COMPLEX], expect=determinant, note="complex", gradient=()),
    Sample("LogMatrixDeterminant", [np.ones((2, 2), "f")], note="singular",
           expect=(np.float32(0), np.float32(-np.inf)), gradient=()),
    Sample("SelfAdjointEigV2", [POSITIVE], {"compute_v": False}, gradient=[0], order=2, tolerance=1e-4,
           expect=lambda x: (np.linalg.eigvalsh(x), np.zeros(0, "f"))),
    Sample("SelfAdjointEigV2", [np.diag([3, 1, 2]).astype("f")], tolerance=1e-5,
           expect=(np.array([1, 2, 3], "f"), np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], "f")),
           note="vectors", gradient=()),
    Sample("Svd", [TALL], {"compute_uv": False}, gradient=[0],
           expect=lambda x: (np.linalg.svd(x, compute_uv=False), np.zeros(0, "f"), np.zeros(0, "f"))),
    Sample("Svd", [np.array([[0, 3, 0], [2, 0, 0]], "f")], note="vectors", expect=(
        np.array([3, 2], "f"), np.eye(2, dtype="f"), np.array([[0, 1], [1, 0], [0, 0]], "f")), gradient=()),
    Sample("Svd", [np.array([[0, 3, 0], [2, 0, 0]], "f")], {"full_matrices": True}, note="full", expect=(
        np.array([3, 2], "f"), np.eye(2, dtype="f"), np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]], "f")), gradient=()),
    Sample("MatrixSquareRoot", [POSITIVE], tolerance=1e-5, gradient=[0],
           expect=lambda x: np.stack([scipy.linalg.sqrtm(each.astype("d")) for each in x])),
    Sample("MatrixLogarithm", [HERMITIAN], expect=lambda x: scipy.linalg.logm(x.astype("D")), tolerance=1e-4),
]  # fmt: skip
