"""Products divided over threads equal the product in one piece."""

import numpy as np
import pytest

from tfmini._src.devices import threads
from tfmini._src.devices.numpy import blas


@pytest.mark.parametrize("shape", [(300, 70, 200), (20, 500, 450), (7, 9, 11)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_equals_matmul(monkeypatch, shape, dtype, count):
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
def test_an_inner_size_of_one_is_a_multiplication():
    a, b = np.array([[1], [np.nan], [np.inf], [-2]], "f"), np.array([[0, np.inf, 3]], "f")
    np.testing.assert_array_equal(blas.product(a, b), a @ b)
    np.testing.assert_array_equal(blas.product(b.T, a.T), b.T @ a.T)
    assert blas.product(a[:0], b).shape == (0, 3)


def test_sizes_that_do_not_fit_are_numpys_error():
    with pytest.raises(ValueError, match="size 300 is different from 400"):
        blas.product(np.zeros((3000, 400)), np.zeros((300, 2000)))


def test_large_says_what_is_divided():
    assert blas.is_large(200, 200, 200)
    assert not blas.is_large(100, 10, 100)
