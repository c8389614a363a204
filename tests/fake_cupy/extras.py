"""cupyx, and the functions of cupy.linalg that differ from numpy's."""

import contextlib

import numpy as np

from tests.fake_cupy.dispatch import call
from tests.fake_cupy.machine import current


def scatter_add(a, slices, value):
    a.scatter_add(slices, value)


def scatter_max(a, slices, value):
    a.scatter_max(slices, value)


def scatter_min(a, slices, value):
    a.scatter_min(slices, value)


@contextlib.contextmanager
def allow_synchronize(allow):
    """CuPy's own switch: False forbids that the host waits."""
    machine = current.machine
    with machine.allow_sync() if allow else machine.forbid_sync():
        yield


CUPYX = {
    "scatter_add": scatter_add,
    "scatter_max": scatter_max,
    "scatter_min": scatter_min,
    "allow_synchronize": allow_synchronize,
}


def _quiet(name, nan_like):
    """A function of numpy.linalg; where numpy raises LinAlgError, CuPy's result is not a number."""
    function = getattr(np.linalg, name)

    def compute(*args, **kwargs):
        try:
            result = function(*args, **kwargs)
        except np.linalg.LinAlgError as error:
            if "ingular" not in str(error) and "positive definite" not in str(error):
                raise
            return nan_like(*args)
        return tuple(result) if isinstance(result, tuple) else result

    def run(*args, **kwargs):
        return call(name, compute, args, kwargs, library=True)

    run.__name__ = name
    return run


def _matrix_by_matrix(name):
    """As `_quiet`, each matrix of a batch on its own."""
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
