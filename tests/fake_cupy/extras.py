"""cupyx, and the functions of cupy.linalg that differ from numpy's."""

import numpy as np

from tests.fake_cupy.dispatch import call


def scatter_add(a, slices, value):
    a.scatter_add(slices, value)


def scatter_max(a, slices, value):
    a.scatter_max(slices, value)


def scatter_min(a, slices, value):
    a.scatter_min(slices, value)


CUPYX = {
    "scatter_add": scatter_add,
    "scatter_max": scatter_max,
    "scatter_min": scatter_min,
}


def _matrix_by_matrix(name):
    """A function of numpy.linalg; where numpy raises LinAlgError, CuPy's result is not a number."""
    function = getattr(np.linalg, name)

    def one(*matrices):
        try:
            return function(*matrices)
        except np.linalg.LinAlgError as error:
            if "ingular" not in str(error) and "positive definite" not in str(error):
                raise
            return None

    def compute(a, *rest):
        whole = one(a, *rest)
        if whole is not None:
            return whole
        result = function(np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape), *rest)
        result = np.array(result)
        batch = result.shape[:-2]
        if rest:
            if rest[0].ndim == 1:
                return np.full_like(result, np.nan)
            rest = [np.broadcast_to(rest[0], batch + rest[0].shape[-2:])]
        a = np.broadcast_to(a, batch + a.shape[-2:])
        for place in np.ndindex(batch):
            part = one(a[place], *[r[place] for r in rest])
            result[place] = np.nan if part is None else part
        return result

    def run(*args):
        return call(name, compute, args, {}, library=True)

    run.__name__ = name
    return run


def _plain_tuple(name):
    function = getattr(np.linalg, name)

    def compute(*args, **kwargs):
        result = function(*args, **kwargs)
        return tuple(result) if isinstance(result, tuple) else result

    def run(*args, **kwargs):
        return call(name, compute, args, kwargs, library=True)

    run.__name__ = name
    return run


LINALG = {name: _matrix_by_matrix(name) for name in ("cholesky", "inv", "solve")} | {
    name: _plain_tuple(name) for name in ("svd", "eigh", "qr", "slogdet")
}
