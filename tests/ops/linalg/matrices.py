"""Random matrix batches, and comparison helpers."""

import numpy as np
import pytest

BATCHES = pytest.mark.parametrize("batch", [(), (2,), (2, 3), (0,)], ids=str)

DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])


def matrices(batch, rows, columns, dtype):
    """Random numbers, seeded by the test's name."""
    created = np.random.uniform(-1, 1, (*batch, rows, columns))
    if dtype.startswith("complex"):
        created = created + 1j * np.random.uniform(-1, 1, created.shape)
    return created.astype(dtype)


def regular(batch, size, dtype):
    return matrices(batch, size, size, dtype) + 3 * np.eye(size, dtype=dtype)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4)
