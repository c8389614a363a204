"""Optimizer updates in one pass over a variable, its slots and its gradient."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.devices.host.native.library import (
    CONTIGUOUS,
    FLOATS,
    SUFFIXES,
    address,
    addresses,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import threads_for

# Kernels, with their numbers of cells (the variable and its slots) and scalars.
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
    "adagrad_da": (3, 4),
    "ftrl": (3, 4),
    "ftrl_v2": (3, 5),
    "proximal_gradient_descent": (1, 3),
    "proximal_adagrad": (2, 3),
    "add_sign": (2, 4),
    "power_sign": (2, 4),
}
# Kernels for a single value of their last scalar, lr_power; NumPy computes other powers.
_ROOT_OPTIMIZERS = ("ftrl", "ftrl_v2")

_MIN_ELEMENTS = 1 << 9  # minimum elements of a single variable; for fewer, NumPy's calls are faster
_MIN_PARALLEL_ELEMENTS = 1 << 15


@cache
def update_functions(kind: str, dtype: np.dtype) -> Callable[..., bool] | None:
    """Returns the update function of a kind: `update(variables, scalars, flag)` updates all variables in one call.

    Each item is (variable, slot ..., gradient), arrays of the dtype, all updated in place except the gradient. The
    function returns False, changing nothing, if they are small, of different shapes or not contiguous. Returns None if
    there is no kernel for the kind and dtype.
    """
    dtype = np.dtype(dtype)
    if kind not in KINDS or dtype not in FLOATS:
        return None
    kernel = _kernel_for_dtype(kind, dtype)
    if kernel is None:
        return None

    def update(
        variables: Sequence[Sequence[np.ndarray]], scalars: Sequence[Any], flag: bool
    ) -> bool:
        fields: list[int] = []
        total = 0
        for arrays in variables:
            shape = arrays[0].shape
            for array in arrays:
                if array.shape != shape or array.flags.num & CONTIGUOUS != CONTIGUOUS:
                    return False
            size = arrays[0].size
            total += size
            fields += addresses(arrays)
            fields.append(size)
        values = _pack_scalars(kind, dtype, scalars)
        if len(variables) == 1 and total < _MIN_ELEMENTS or values is None:
            return False
        rows = struct.pack(f"{len(fields)}q", *fields)
        threads = threads_for(total, _MIN_PARALLEL_ELEMENTS)
        kernel(rows, len(variables), address(values), flag, threads, None, 0, 0)
        return True

    return update


@cache
def _kernel_for_dtype(kind: str, dtype: np.dtype) -> Any:
    return function(f"{kind}_{SUFFIXES[dtype]}")


def _pack_scalars(kind: str, dtype: np.dtype, scalars: Sequence[Any]) -> np.ndarray | None:
    """Returns the scalars in the format of the kernel; None if its formula needs other scalars."""
    values = np.array(scalars, dtype)
    if values.shape != (KINDS[kind][1],) or kind in _ROOT_OPTIMIZERS and values[-1] != -0.5:
        return None
    if kind == "power_sign":  # exponents for equal signs and for opposite signs
        exponent = values[1] * values[2]
        values[1], values[2] = np.exp(exponent), np.exp(-exponent)
    return values


@cache
def row_update_functions(kind: str, dtype: np.dtype) -> Callable[..., bool] | None:
    """Returns the row update function of a kind: `update(cells, gradient, ids, scalars, flag)` updates the rows `ids`
    of the variable and its slots by the rows of the gradient, in order; ids out of range are skipped.

    The function returns False, changing nothing, if the arrays have different shapes or are not contiguous. Returns
    None if there is no kernel for the kind and dtype.
    """
    dtype = np.dtype(dtype)
    supported = kind in KINDS and dtype in FLOATS
    kernel = _kernel_for_dtype(kind, dtype) if supported else None
    if kernel is None:
        return None

    def update(
        cells: Sequence[np.ndarray],
        gradient: np.ndarray,
        ids: np.ndarray,
        scalars: Sequence[Any],
        flag: bool,
    ) -> bool:
        shape = cells[0].shape
        for cell in cells:
            if cell.shape != shape or not is_contiguous(cell):
                return False
        if not is_contiguous(gradient):
            return False
        values = _pack_scalars(kind, dtype, scalars)
        if values is None:
            return False
        count = len(ids)
        if gradient.shape != (count, *shape[1:]) or gradient.dtype != dtype or ids.ndim != 1:
            return False
        if not gradient.size:
            return True
        ids = np.ascontiguousarray(ids, np.int64)
        row = struct.pack(f"{len(cells) + 1}q", *addresses((*cells, gradient)))
        threads = threads_for(gradient.size, _MIN_PARALLEL_ELEMENTS)
        args = address(values), flag, threads, address(ids), shape[0], gradient.size // count
        kernel(row, count, *args)
        return True

    return update
