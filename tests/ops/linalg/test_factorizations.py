"""Factorizations of matrices large enough for blocked algorithms."""

import numpy as np
import pytest

import tfmini as tf
from tfmini import errors


def definite(rng, *shape):
    x = rng.standard_normal(shape)
    return x @ x.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])


@pytest.mark.parametrize("size", [127, 128, 129, 200, 256])
def test_cholesky_factors(size):
    matrices = definite(np.random.default_rng(0), 2, size, size)
    with tf.Session() as session:
        for dtype, near in (("f", 2e-4), ("d", 1e-11)):
            result = session.run(tf.cholesky(matrices.astype(dtype)))
            np.testing.assert_allclose(result, np.linalg.cholesky(matrices), near, near)
            assert (np.triu(result[0], 1) == 0).all()


@pytest.mark.parametrize("row", [5, 150])
def test_indefinite_matrix_is_refused(row):
    matrices = definite(np.random.default_rng(0), 200, 200)
    matrices[row, row] = -1
    with (
        tf.Session() as session,
        pytest.raises(errors.InvalidArgumentError, match="not successful"),
    ):
        session.run(tf.cholesky(matrices))
