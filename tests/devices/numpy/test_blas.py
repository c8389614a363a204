"""Products divided among threads equal the undivided product."""

import numpy as np
import pytest

from tests.devices.numpy.windows.loops import Nothing
from tfmini._src.devices.host import threads
from tfmini._src.devices.numpy import blas


@pytest.mark.parametrize("shape", [(300, 70, 200), (20, 500, 450), (7, 9, 11)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("by_kernels", [False, True])
def test_product_matches_numpy_matmul(monkeypatch, shape, dtype, count, by_kernels):
    if not by_kernels:
        monkeypatch.setattr(blas, "native", Nothing())
    monkeypatch.setattr(threads._threads, "count", count)
    rows, inner, columns = shape
    random = np.random.RandomState(0)
    a = random.rand(rows, inner).astype(dtype)
    b = random.rand(inner, columns).astype(dtype)
    got = blas.product(a, b)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, a.astype("d") @ b.astype("d"), rtol=1e-5)
    transposed = blas.product(np.ascontiguousarray(a.T).T, np.ascontiguousarray(b.T).T)
    np.testing.assert_allclose(transposed, got, rtol=1e-5)


@np.errstate(all="ignore")
def test_inner_size_one_is_outer_product():
    a, b = np.array([[1], [np.nan], [np.inf], [-2]], "f"), np.array([[0, np.inf, 3]], "f")
    np.testing.assert_array_equal(blas.product(a, b), a @ b)
    np.testing.assert_array_equal(blas.product(b.T, a.T), b.T @ a.T)
    assert blas.product(a[:0], b).shape == (0, 3)
    assert 1 / blas.product(a, b)[3, 0] == np.inf  # a zero is never -0, as in TensorFlow


def test_mismatched_sizes_raise_numpy_error():
    with pytest.raises(ValueError, match="size 300 is different from 400"):
        blas.product(np.zeros((3000, 400)), np.zeros((300, 2000)))


def test_only_large_products_are_parallel():
    assert blas.is_large(200, 200, 200)
    assert not blas.is_large(100, 10, 100)


@pytest.mark.parametrize("shape", [(1, 3000, 200), (200, 3000, 1), (200, 1, 3000)], ids=str)
def test_vector_products_are_not_split(monkeypatch, shape):
    monkeypatch.setattr(threads._threads, "count", 3)
    monkeypatch.setattr(blas, "native", Nothing())
    monkeypatch.setattr(blas, "run_parts", None)  # nothing is divided
    monkeypatch.setattr(blas, "_MIN_PARALLEL_MULTIPLICATIONS", 500_000)
    rows, inner, columns = shape
    random = np.random.RandomState(1)
    a, b = random.rand(rows, inner), random.rand(inner, columns)
    np.testing.assert_allclose(blas.product(a, b), np.dot(a, b))


def test_mixed_dtypes_promote_to_wider(monkeypatch):
    monkeypatch.setattr(threads._threads, "count", 2)
    monkeypatch.setattr(blas, "native", Nothing())
    a, b = np.ones((300, 70), np.float32), np.full((70, 200), 1 / 3)
    for left, right in ((a, b), (b.T, a.T)):
        result = blas.product(left, right)
        assert result.dtype == np.float64
        np.testing.assert_allclose(result, 70 / 3, rtol=1e-12)
