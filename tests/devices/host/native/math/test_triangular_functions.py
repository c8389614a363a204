"""Square roots and logarithms of triangular matrices, checked by scipy's exponential and by products."""

import numpy as np
import pytest

from tests.support.lazy_modules import scipy
from tfmini._src.devices.host.native.math import triangular_functions

MATRICES = {
    "random": lambda rng, n: rng.normal(0, 3, (n, n)) + 1j * rng.normal(0, 3, (n, n)),
    "negative": lambda rng, n: rng.random((n, n)) - 5 * np.eye(n),
    "one eigenvalue": lambda rng, n: np.ones((n, n)),
    "near one": lambda rng, n: np.eye(n) + 1e-9 * rng.random((n, n)),
    "wide": lambda rng, n: rng.random((n, n)) + np.diag(10.0 ** np.linspace(-8, 8, n)),
}


@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.parametrize("size", [1, 2, 7, 20])
def test_roots_and_logarithms_invert(build, kind, size):
    matrix = np.triu(MATRICES[kind](np.random.default_rng(0), size)).astype("D")
    for value in (matrix, np.asfortranarray(matrix)):
        root = triangular_functions.root(value)
        tolerance = 1e-13 * np.abs(root).max() ** 2
        np.testing.assert_allclose(root @ root, matrix, 0, tolerance)
        assert (np.diagonal(root).real >= 0).all() and not np.tril(root, -1).any()
        logarithm = triangular_functions.logarithm(value)
        np.testing.assert_allclose(np.diagonal(logarithm), np.log(np.diagonal(matrix)), 1e-15)
        tolerance = 1e-12 * np.abs(matrix).max() * max(1, np.abs(logarithm).max())
        np.testing.assert_allclose(scipy.linalg.expm(logarithm), matrix, 0, tolerance)


def test_singular_matrix_has_no_logarithm(build):
    for diagonal in ([0, 1], [np.nan, 1], [np.inf, 1]):
        assert triangular_functions.logarithm(np.diag(diagonal).astype("D")) is None
