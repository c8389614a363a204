"""Unary special functions that TensorFlow 2 added, and x * log1p(y)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.devices.numpy import scipy
from tfmini._src.ops.math.special_functions import declare
from tfmini._src.ops.type_lists import FLOATS

_UNARY = "x: T -> y: T"

for _name, _function in {
    "BesselI0": lambda x: scipy.special.i0(x),
    "BesselI1": lambda x: scipy.special.i1(x),
    "BesselJ0": lambda x: scipy.special.j0(x),
    "BesselJ1": lambda x: scipy.special.j1(x),
    "BesselK0": lambda x: scipy.special.k0(x),
    "BesselK0e": lambda x: scipy.special.k0e(x),
    "BesselK1": lambda x: scipy.special.k1(x),
    "BesselK1e": lambda x: scipy.special.k1e(x),
    "BesselY0": lambda x: scipy.special.y0(x),
    "BesselY1": lambda x: scipy.special.y1(x),
    "Dawsn": lambda x: scipy.special.dawsn(x),
    "Erfinv": lambda x: scipy.special.erfinv(x),
    "Expint": lambda x: scipy.special.expi(x),
    "FresnelCos": lambda x: scipy.special.fresnel(x)[1],
    "FresnelSin": lambda x: scipy.special.fresnel(x)[0],
    "Ndtri": lambda x: scipy.special.ndtri(x),
    "Spence": lambda x: scipy.special.spence(x),
}.items():
    declare(_name, _UNARY, FLOATS, _function)


def _xlog1py(x: Any, y: Any) -> Any:
    """Returns x * log1p(y), but 0 where x is 0, regardless of y."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x == 0, np.zeros_like(x), x * np.log1p(y))


xlog1py_op = declare(
    "Xlog1py",
    "x: T, y: T -> z: T",
    (
        dtypes.float16,
        dtypes.bfloat16,
        dtypes.float32,
        dtypes.float64,
        dtypes.complex64,
        dtypes.complex128,
    ),
    _xlog1py,
)
