"""Matrix decompositions: the factors multiply back, in all shapes and dtypes."""

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
def test_cholesky(batch, dtype):
    a = regular(batch, 3, dtype)
    a = a @ adjoint(a)
    b = matrices(batch, 3, 2, dtype)
    factor, x, logarithm = run(
        [tf.linalg.cholesky(a), tf.cholesky_solve(tf.cholesky(a), b), tf.linalg.logdet(a)]
    )
    close(factor @ adjoint(factor), a)
    close(np.triu(factor, 1), np.zeros_like(factor))
    close(a @ x, b)
    close(logarithm, np.linalg.slogdet(a)[1])


@BATCHES
@DTYPES
def test_lu(batch, dtype):
    a = matrices(batch, 4, 4, dtype)
    packed, order = run(tf.linalg.lu(a, output_idx_type=tf.int64))
    lower = np.tril(packed, -1) + np.eye(4)
    close(lower @ np.triu(packed), np.take_along_axis(a, order[..., None], axis=-2))


@BATCHES
@DTYPES
def test_determinants(batch, dtype):
    a = regular(batch, 3, dtype)
    determinant, (sign, logarithm) = run([tf.linalg.det(a), tf.linalg.slogdet(a)])
    close(determinant, np.linalg.det(a))
    close(sign * np.exp(logarithm), determinant)


@BATCHES
@DTYPES
def test_eigenvalues(batch, dtype):
    a = regular(batch, 4, dtype)
    a = a + adjoint(a)
    above = a + np.triu(np.ones((4, 4)), 1).astype(dtype)  # the upper part is not read
    (values, vectors), alone = run([tf.linalg.eigh(above), tf.linalg.eigvalsh(above)])
    close(a @ vectors, vectors * values[..., None, :])
    close(alone, values)
    assert (np.diff(values.real) >= 0).all()


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (2, 4, 4)], ids=str)
@pytest.mark.parametrize("full", [True, False])
@DTYPES
def test_svd(shape, full, dtype):
    a = matrices(shape[:-2], *shape[-2:], dtype)
    tensors = tf.svd(a, full_matrices=full)
    s, u, v = run(tensors)
    assert [t.shape for t in tensors] == [s.shape, u.shape, v.shape]
    size = s.shape[-1]
    close((u[..., :size] * s[..., None, :]) @ adjoint(v[..., :size]), a)
    assert s.dtype == np.zeros(0, dtype).real.dtype


@pytest.mark.parametrize("rcond", [None, 0.1])
def test_pinv_and_rank(rcond):
    a = matrices((2,), 5, 2, "float64") @ matrices((2,), 2, 4, "float64")
    inverse, rank = run([tf.linalg.pinv(a, rcond), tf.linalg.matrix_rank(a)])
    close(inverse, np.linalg.pinv(a, rcond or 1e-12))
    assert rank.tolist() == [2, 2]


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_matrix_roots_and_logarithms(dtype):
    a = regular((2,), 3, dtype)
    a = a @ adjoint(a)
    root, logarithm = run([tf.linalg.sqrtm(a), tf.linalg.logm(tf.cast(a, tf.complex128))])
    close(root @ root, a)
    values, vectors = np.linalg.eigh(a)
    close(logarithm, (vectors * np.log(values)[..., None, :]) @ adjoint(vectors))


def test_matrices_without_root_yield_nan():
    assert np.isnan(run(tf.linalg.sqrtm([[-1.0, 0.0], [0.0, 2.0]]))).all()
    assert np.isnan(run(tf.cholesky([[np.nan, 1.0], [1.0, 2.0]])))[1].all()
