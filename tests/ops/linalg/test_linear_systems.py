"""Inverses, solutions and least squares against numpy."""

import numpy as np
import pytest

import tfmini as tf
from tests.ops.linalg.matrices import (
    BATCHES,
    DTYPES,
    adjoint,
    close,
    matrices,
    regular,
)
from tests.support.sessions import run


@BATCHES
@DTYPES
def test_inverse_and_solve(batch, dtype):
    a, b = regular(batch, 3, dtype), matrices(batch, 3, 2, dtype)
    inverse, turned, x, y = run(
        [
            tf.linalg.inv(a),
            tf.linalg.inv(a, adjoint=True),
            tf.linalg.solve(a, b),
            tf.linalg.solve(a, b, adjoint=True),
        ]
    )
    assert inverse.dtype == dtype
    close(a @ inverse, np.broadcast_to(np.eye(3), a.shape))
    close(turned, adjoint(inverse))
    close(a @ x, b)
    close(adjoint(a) @ y, b)


@DTYPES
@pytest.mark.parametrize("adjoint", [False, True])
def test_inverse_of_large_matrices(dtype, adjoint):
    a = matrices((2,), 260, 260, dtype) + 30 * np.eye(260, dtype=dtype)  # condition numbers below 3
    inverse = run(tf.linalg.inv(a, adjoint=adjoint))
    expected = np.linalg.inv(a.astype("D"))
    expected = np.conj(expected.swapaxes(1, 2)) if adjoint else expected
    scale = np.abs(expected).max()
    np.testing.assert_allclose(inverse / scale, expected / scale, atol=1e2 * np.finfo(dtype).eps)
    assert inverse.dtype == dtype
    sides = a[:, :, :3].copy()
    solution = run(tf.linalg.solve(a, sides, adjoint=adjoint))
    np.testing.assert_allclose(
        solution / scale, expected @ sides / scale, atol=1e3 * np.finfo(dtype).eps
    )
    assert solution.dtype == dtype
    a[1, 3:] = 0
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input is not invertible"):
        run(tf.linalg.inv(a, adjoint=adjoint))


@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (3, 3)], ids=str)
@pytest.mark.parametrize("fast", [True, False])
def test_least_squares(shape, fast):
    a, b = matrices((), *shape, "float64"), matrices((), shape[0], 2, "float64")
    unknown = tf.placeholder(tf.float64, [None, None])
    x, same = run(
        [tf.linalg.lstsq(a, b, fast=fast), tf.linalg.lstsq(unknown, b, fast=fast)], {unknown: a}
    )
    close(x, np.linalg.lstsq(a, b, rcond=None)[0])
    close(same, x)


def test_many_small_systems():
    x = tf.linalg.lstsq(tf.zeros([40000, 2, 2]), tf.zeros([40000, 2, 1]))
    assert x.op.type == "MatrixSolveLs"
