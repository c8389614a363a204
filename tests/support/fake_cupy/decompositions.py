"""cupy.linalg's eigh, eigvalsh and svd: supported dtypes and memory order of the results."""

import numpy as np

from tests.support.fake_cupy.dispatch import call
from tests.support.fake_cupy.extras import check_info
from tests.support.fake_cupy.storage import Storage

_SMALL = 32  # maximum size for which batches use Jacobi's method


def _check_dtype(a, takes_halves):
    """The compute dtype and the result dtype (cupy/linalg/_util.py, linalg_common_type)."""
    if not isinstance(a, Storage):
        raise np.linalg.LinAlgError("cupy.linalg only supports cupy.ndarray")
    if a.ndim < 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given.")
    if a.dtype == np.float16 and not takes_halves:
        raise TypeError("float16 is unsupported in linalg")
    result = a.dtype if a.dtype.kind in "fc" else np.dtype("d")
    return np.dtype("f") if result == np.float16 else result, result


def _columns_first(array):
    """The same array in column-major memory order."""
    return array.swapaxes(-1, -2)


def eigh(a, UPLO="L"):
    """cupy/linalg/_eigenvalue.py: single matrices use _syevd, batches cupyx/_cusolver.pyx, _syevj_batched. Both accept
    float16, except for empty input, and return eigenvectors in column-major order.
    """
    values, vectors = _eigen(a, UPLO, True)
    return values, _columns_first(vectors)


def eigvalsh(a, UPLO="L"):
    return _eigen(a, UPLO, False)[0]


def _eigen(a, uplo, with_vectors):
    width, dtype = _check_dtype(a, takes_halves=bool(a.size))
    if a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if uplo not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    name = "syevj" if a.ndim > 2 else "syevd"

    def compute(matrices):
        values, vectors = np.linalg.eigh(matrices.astype(width), uplo)
        return values.astype(dtype.char.lower()), vectors.astype(dtype).swapaxes(-1, -2)

    factors = call(name, compute, (a,), {}, library=bool(a.size))
    if a.size:
        check_info(name, failed=False)
    return factors if with_vectors else (factors[0], None)


def svd(a, full_matrices=True, compute_uv=True):
    """cupy/linalg/_decomposition.py: single matrices use gesvd, batches of small ones gesvdj, which computes full
    matrices and returns slices of them.
    """
    width, dtype = _check_dtype(a, takes_halves=False)
    real = dtype.char.lower()
    rows, columns = a.shape[-2:]
    inner = min(rows, columns)
    small = a.ndim > 2 and max(rows, columns) <= _SMALL
    name = "gesvdj" if small else "gesvd"

    def compute(matrices):
        u, s, v = np.linalg.svd(matrices.astype(width), full_matrices=full_matrices or small)
        if not compute_uv:
            return s.astype(real)
        u, v = u.astype(dtype), v.astype(dtype)
        if small or rows > columns:
            u = u.swapaxes(-1, -2)  # columns in sequence
        if not small and rows > columns:
            v = v.swapaxes(-1, -2)
        return u, s.astype(real), v

    factors = call(name, compute, (a,), {}, library=bool(a.size))
    if a.size:
        check_info(name, failed=False)
    if not compute_uv:
        return factors
    u, s, v = factors
    if small or rows > columns:
        u = _columns_first(u)
    if not small and rows > columns:
        v = _columns_first(v)
    if small and not full_matrices:
        u, v = u[..., :inner], v[..., :inner, :]
    return u, s, v


FUNCTIONS = {function.__name__: function for function in (eigh, eigvalsh, svd)}
