"""Tridiagonal solves and products."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

RANDOM = np.random.RandomState(1)

LINALG = tf.linalg


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("size", [2, 5, 40])
@pytest.mark.parametrize("many, factor", [(1, 1), (60, 1), (60, 1j)])
def test_tridiagonal_systems(size, many, factor):
    diagonals = RANDOM.uniform(-1, 1, (many, 3, size)) * factor
    rhs = factor * RANDOM.uniform(-1, 1, (many, size, 2))
    dense = np.stack(
        [np.diag(d[1]) + np.diag(d[0, :-1], 1) + np.diag(d[2, 1:], -1) for d in diagonals]
    )
    close(run(LINALG.tridiagonal_matmul(tf.constant(diagonals), rhs)), dense @ rhs)
    solution = run(LINALG.tridiagonal_solve(tf.constant(diagonals), tf.constant(rhs)))
    np.testing.assert_allclose(dense @ solution, rhs, atol=1e-8)
    diagonals[:, 1] += 4
    dense += 4 * np.eye(size)
    created = LINALG.tridiagonal_solve(
        tf.constant(diagonals), tf.constant(rhs), partial_pivoting=False
    )
    np.testing.assert_allclose(dense @ run(created), rhs, atol=1e-8)
