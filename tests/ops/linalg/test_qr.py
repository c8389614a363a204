"""QR and triangular solves: products of the results reproduce the inputs."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases

RANDOM = np.random.RandomState(4)


@cases.in_one_test
@pytest.mark.parametrize("shape", [(4, 3), (3, 3), (2, 5), (2, 4, 3), (0, 2)], ids=str)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_qr(shape, full, dtype):
    x = RANDOM.uniform(-1, 1, shape).astype(dtype)
    pair = tf.qr(x, full_matrices=full)
    with tf.Session() as session:
        q, r = session.run(pair)
    assert pair.q.shape == q.shape and pair.r.shape == r.shape
    assert q.dtype == r.dtype == dtype
    np.testing.assert_allclose(q @ r, x, atol=1e-5)
    unit = np.swapaxes(q.conj(), -1, -2) @ q
    np.testing.assert_allclose(unit, np.broadcast_to(np.eye(q.shape[-1]), unit.shape), atol=1e-5)


def test_qr_signs_match_tensorflow():
    with tf.Session() as session:
        q, r = session.run(tf.qr(np.array([[1.0, 2], [3, 4], [5, 6]])))
    np.testing.assert_allclose(q[:, 0], [-0.16903085, -0.50709255, -0.84515425], rtol=1e-6)
    np.testing.assert_allclose(r, [[-5.91607978, -7.43735744], [0, 0.82807867]], rtol=1e-6)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("adjoint", [True, False])
@pytest.mark.parametrize("batch", [(), (2,)], ids=str)
def test_triangular_solve(lower, adjoint, batch):
    a = RANDOM.uniform(1, 2, (*batch, 3, 3))
    b = RANDOM.uniform(-1, 1, (*batch, 3, 2))
    with tf.Session() as session:
        x = session.run(tf.matrix_triangular_solve(a, b, lower, adjoint))
    triangle = np.tril(a) if lower else np.triu(a)
    triangle = np.swapaxes(triangle, -1, -2) if adjoint else triangle
    np.testing.assert_allclose(triangle @ x, b, atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(3, 2), (2, 3)])
def test_nonfinite_matrix_does_not_affect_batch(shape, full, bad):
    x = np.stack([RANDOM.uniform(size=shape) for _ in range(2)])
    expected = np.linalg.svd(x[1], compute_uv=False)
    x[0, 0, 1] = bad
    values = tf.svd(x, compute_uv=False)
    decomposed = tf.svd(x, full_matrices=full)
    with tf.Session() as session:
        only, (s, u, v) = session.run([values, decomposed])
    assert u.shape == decomposed[1].shape and v.shape == decomposed[2].shape
    for result in (only, s):
        np.testing.assert_allclose(result, [[np.nan, np.nan], expected], rtol=1e-9)
    product = u[1][:, :2] * s[1] @ v[1][:, :2].T
    np.testing.assert_allclose(product, x[1], rtol=1e-9)


def test_least_squares_keeps_small_column():
    """The rank cutoff depends on the smaller dimension, not on the row count."""
    matrix, rhs = np.zeros((20_000, 2), np.float32), np.zeros((20_000, 1), np.float32)
    matrix[:2], rhs[:2] = [[1, 1], [0, 1e-4]], [[1], [1e-3]]
    with tf.Session() as session:
        result = session.run(tf.linalg.lstsq(matrix, rhs, fast=False))
    np.testing.assert_allclose(result, [[-9], [10]], rtol=1e-5)
