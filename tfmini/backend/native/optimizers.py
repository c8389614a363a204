"""The optimizers' updates in one pass over a variable, its slots and its gradient."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini.backend.native.library import SUFFIXES, Pointer, address, function, in_one_piece
from tfmini.backend.threads import thread_count

# The kernels: how many cells (the variable and its slots) and scalars each has.
KINDS = {
    "gradient_descent": (1, 1),
    "momentum": (2, 2),
    "keras_momentum": (2, 2),
    "adam": (3, 6),
    "adam_with_amsgrad": (4, 6),
    "adamax": (3, 5),
    "adagrad": (2, 1),
    "adagrad_v2": (2, 2),
    "adadelta": (3, 3),
    "rmsprop": (3, 4),
    "centered_rmsprop": (4, 4),
}

_COUNT = ctypes.c_int64
_FEW = 1 << 12  # elements: below, numpy's calls cost less than addresses do
_PARALLEL = 1 << 15  # elements that are divided over threads


def update_of(kind: str, dtype: Any) -> Callable[..., bool] | None:
    """The update of a kind: `update(cells, scalars, gradient, flag)` changes the cells in place.

    It is False, and nothing has changed, where they are small, of different shapes or not in one piece. None where
    there is no kernel for the kind and dtype.
    """
    dtype = np.dtype(dtype)
    if kind not in KINDS or dtype.name not in ("float32", "float64"):
        return None
    types = (Pointer, Pointer, Pointer, _COUNT, _COUNT, ctypes.c_int, _COUNT)
    kernel = function(f"{kind}_{SUFFIXES[dtype.name]}", *types)
    if kernel is None:
        return None
    count, scalar_count = KINDS[kind]
    addresses = Pointer * count

    def update(
        cells: Sequence[np.ndarray], scalars: Sequence[Any], gradient: np.ndarray, flag: bool
    ) -> bool:
        first = cells[0]
        if first.size < _FEW or len(scalars) != scalar_count:
            return False
        arrays = (*cells, gradient)
        if not all(in_one_piece(a) and a.shape == first.shape for a in arrays):
            return False
        values = np.array(scalars, dtype)
        if values.ndim != 1:
            return False
        pointers = addresses(*map(address, cells))
        threads = thread_count() if first.size >= _PARALLEL else 1
        kernel(pointers, address(values), address(gradient), 0, first.size, flag, threads)
        return True

    return update
