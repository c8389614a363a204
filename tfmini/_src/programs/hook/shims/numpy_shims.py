"""Names removed from numpy without a replacement."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = [
    "NINF",
    "asfarray",
    "asscalar",
    "cast",
    "find_common_type",
    "in1d",
    "inner1d",
    "issctype",
    "math",
    "msort",
    "obj2sctype",
    "sctypes",
    "trapz",
]

NINF = -np.inf

# Scalar types by kind, small ones first.
sctypes = {
    "int": [np.int8, np.int16, np.int32, np.int64],
    "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
    "float": [np.float16, np.float32, np.float64, np.longdouble],
    "complex": [np.complex64, np.complex128, np.clongdouble],
    "others": [bool, object, bytes, str, np.void],
}


class _Casts(dict):
    """Functions that convert to an array of a dtype, by dtype."""

    def __missing__(self, key: Any) -> Any:
        return lambda x: np.asarray(x).astype(key)


cast = _Casts()


def asfarray(a: Any, dtype: Any = np.float64) -> np.ndarray:
    """Converts to a float array: of `dtype`, or float64 if that is not a float type."""
    return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def asscalar(a: np.ndarray) -> Any:
    """Returns the only element of an array as a Python number."""
    return a.item()


def find_common_type(array_types: Any, scalar_types: Any) -> np.dtype:
    """Returns the common dtype of these array types; scalar types count only if they are of a higher kind."""
    arrays, scalars = list(map(np.dtype, array_types)), list(map(np.dtype, scalar_types))
    if not arrays or not scalars:
        return np.result_type(*(arrays or scalars))
    array_dtype, scalar_dtype = np.result_type(*arrays), np.result_type(*scalars)
    order = "buifcSUVO"
    is_higher = order.index(scalar_dtype.kind) > order.index(array_dtype.kind)
    return scalar_dtype if is_higher else array_dtype


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> np.ndarray:
    """Returns, for each element of the flattened first array, whether it is in the second."""
    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def inner1d(a: Any, b: Any) -> np.ndarray:
    """Returns the inner products along the last axis."""
    return np.einsum("...i,...i->...", a, b)


def issctype(rep: Any) -> bool:
    """Whether the argument denotes a scalar type."""
    return obj2sctype(rep) not in (None, np.object_)


def msort(a: Any) -> np.ndarray:
    """Returns a copy sorted along the first axis."""
    return np.sort(a, axis=0)


def obj2sctype(rep: Any, default: Any = None) -> Any:
    """Returns the scalar type of a type, an array or a name; `default` without one."""
    if isinstance(rep, np.ndarray):
        return rep.dtype.type
    try:
        return np.dtype(rep).type
    except TypeError:
        return default


def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """Returns the integral of `y` by the trapezoidal rule."""
    return np.trapezoid(y, x, dx, axis)
