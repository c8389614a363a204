"""cupyx, and the functions of cupy.linalg that differ from NumPy's."""

import contextlib
import threading

import numpy as np

from tests.support.fake_cupy.dispatch import call
from tests.support.fake_cupy.machine import current


def scatter_add(a, slices, value):
    a.scatter_add(slices, value)


def scatter_max(a, slices, value):
    a.scatter_max(slices, value)


def scatter_min(a, slices, value):
    a.scatter_min(slices, value)


_state = threading.local()


@contextlib.contextmanager
def errstate(*, divide=None, over=None, under=None, invalid=None, linalg=None):
    """cupyx/_ufunc_config.py: only `linalg` has an effect, "ignore" or "raise"."""
    before = getattr(_state, "linalg", "ignore")
    if linalg not in (None, "ignore", "raise"):
        raise NotImplementedError(f"linalg={linalg!r}")
    _state.linalg = linalg or before
    try:
        yield
    finally:
        _state.linalg = before


CUPYX = {
    "scatter_add": scatter_add,
    "scatter_max": scatter_max,
    "scatter_min": scatter_min,
    "errstate": errstate,
}

_LEFT_OVER = -987654.0  # a failed factorization leaves arbitrary numbers


def _one(function, *matrices):
    """Its result, or None."""
    try:
        return function(*matrices)
    except np.linalg.LinAlgError as error:
        if "ingular" not in str(error) and "positive definite" not in str(error):
            raise
        return None


def check_info(name, failed):
    """cupy/linalg/_util.py, _check_cusolver_dev_info_if_synchronization_allowed: reads the status if allowed."""
    if getattr(_state, "linalg", "ignore") == "raise":
        current.machine.sync(name)
        current.machine.learn(current.machine.current_stream_state().known)
        if failed:
            raise np.linalg.LinAlgError(f"Error reported by {name} in cuSOLVER.")


def _matrix_by_matrix(name):
    """A function of numpy.linalg; where NumPy raises LinAlgError, CuPy's result is undefined, or it raises after
    synchronizing (cupy/linalg/_util.py, _check_cusolver_dev_info_if_synchronization_allowed).
    """
    function = getattr(np.linalg, name)
    failed = []

    def compute(a, *rest):
        whole = _one(function, a, *rest)
        if whole is not None:
            return whole
        failed.append(True)
        unit = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
        result = np.array(function(unit, *rest))
        if rest and rest[0].ndim == 1:
            return np.full_like(result, _LEFT_OVER)
        for index in np.ndindex(result.shape[:-2]):
            part = _one(function, a[index], *[r[index] for r in rest])
            result[index] = _LEFT_OVER if part is None else part
        return result

    def run(*args):
        if name == "solve":
            _check_system(*args)
        failed.clear()
        result = call(name, compute, args, {}, library=True)
        if args[0].size:
            check_info(name, failed)
        return result

    run.__name__ = name
    return run


def _check_system(a, b):
    """cupy/linalg/_solve.py, solve: no broadcasting."""
    if b.ndim == 1 and a.shape[-1] != b.size:
        raise ValueError("a must have (..., M, M) shape and b must have (M,)")
    if b.ndim > 1 and a.shape[:-1] != b.shape[:-1]:
        raise ValueError("a must have (..., M, M) shape and b must have (..., M, K)")


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
    name: _plain_tuple(name) for name in ("qr", "slogdet")
}
