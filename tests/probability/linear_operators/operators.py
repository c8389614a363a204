"""Operators of all kinds by name, each with two 3 x 3 matrices."""

import numpy as np

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
