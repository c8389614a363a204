"""The optimizers' updates in one pass over a variable, its slots and its gradient."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import cache
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
_FEW = 1 << 9  # elements of a single variable: below, numpy's calls cost less
_PARALLEL = 1 << 15  # elements that are divided over threads


def _suits(array: Any, shape: tuple[int, ...]) -> bool:
    return isinstance(array, np.ndarray) and in_one_piece(array) and array.shape == shape


@cache
def updates_of(kind: str, dtype: Any) -> Callable[..., bool] | None:
    """The updates of a kind: `update(variables, scalars, flag)` changes all variables in one call.

    Each is (variable, slot ..., gradient): arrays of the dtype, changed in place but for the gradient. It is False, and
    nothing has changed, where they are small, of different shapes or not in one piece. None where there is no kernel
    for the kind and dtype.
    """
    dtype = np.dtype(dtype)
    if kind not in KINDS or dtype.name not in ("float32", "float64"):
        return None
    types = (ctypes.c_char_p, _COUNT, Pointer, ctypes.c_int, _COUNT)
    kernel = function(f"{kind}_{SUFFIXES[dtype.name]}", *types)
    if kernel is None:
        return None
    scalar_count = KINDS[kind][1]

    def update(
        variables: Sequence[Sequence[np.ndarray]], scalars: Sequence[Any], flag: bool
    ) -> bool:
        numbers: list[int] = []
        total = 0
        for arrays in variables:
            shape = arrays[0].shape
            if not all(_suits(array, shape) for array in arrays):
                return False
            size = arrays[0].size
            total += size
            numbers += map(address, arrays)
            numbers.append(size)
        values = np.array(scalars, dtype)
        if len(variables) == 1 and total < _FEW or values.shape != (scalar_count,):
            return False
        rows = struct.pack(f"{len(numbers)}q", *numbers)
        threads = thread_count() if total >= _PARALLEL else 1
        kernel(rows, len(variables), address(values), flag, threads)
        return True

    return update
