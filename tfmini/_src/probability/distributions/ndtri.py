"""Quantiles of the standard normal distribution, by rational approximations on three ranges.

The coefficients are from Cephes' `ndtri` (S. L. Moshier, 1989), lowest power first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

# x / sqrt(2 pi) = w + w^3 P(w^2) / Q(w^2) with w = p - 0.5, for p > exp(-2).
_P0 = (
    -1.2391658386738125,
    13.931260938727968,
    -56.67628574690703,
    98.00107541859997,
    -59.96335010141079,
)
_Q0 = (
    -1.1833162112133,
    15.90562251262117,
    -82.03722561683334,
    200.26021238006066,
    -225.46268785411937,
    86.36024213908905,
    4.676279128988815,
    1.9544885833814176,
    1.0,
)
# x = z - log(z) / z - P(1 / z) / Q(1 / z) / z with z = sqrt(-2 log(p)), for z < 8.
_P1 = (
    -0.0008574567851546854,
    -0.03504246268278482,
    -0.1402560791713545,
    2.1866330685079025,
    14.684956192885803,
    44.08050738932008,
    57.16281922464213,
    31.525109459989388,
    4.0554489230596245,
)
_Q1 = (
    -0.0009332594808954574,
    -0.03808064076915783,
    -0.14218292285478779,
    2.504649462083094,
    15.04253856929075,
    41.3172038254672,
    45.39076351288792,
    15.779988325646675,
    1.0,
)
# The same for z >= 8.
_P2 = (
    6.239745391849833e-09,
    2.6580697468673755e-06,
    0.00030158155350823543,
    0.012371663481782003,
    0.20148538954917908,
    1.3330346081580755,
    3.9388102529247444,
    6.915228890689842,
    3.2377489177694603,
)
_Q2 = (
    6.790194080099813e-09,
    2.8924786474538068e-06,
    0.00032801446468212774,
    0.013420400608854318,
    0.21623699359449663,
    1.3770209948908132,
    3.6798356385616087,
    6.02427039364742,
    1.0,
)


def _polynomial(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    values = np.array(coefficients, x.dtype.as_numpy_dtype)
    return _horner(x, values)


def _horner(x: Tensor, values: Any) -> Tensor:
    if not values.size:
        return ops.zeros_like(x)
    return values[0] + _horner(x, values[1:]) * x


def ndtri(p: Any, name: str = "ndtri") -> Tensor:
    """Returns the x with P[X <= x] = p for a standard normal X; p is float32 or float64 in [0, 1]."""
    with name_scope(name, values=[p]):
        p = convert_to_tensor(p, name="p")
        if p.dtype.as_numpy_dtype not in (np.float32, np.float64):
            raise TypeError(f"p.dtype={p.dtype} is not handled, see docstring for supported types.")
        return _ndtri(p)


def _ndtri(p: Tensor) -> Tensor:
    dtype = p.dtype.as_numpy_dtype
    tail = ops.where_v2(p > -np.expm1(-2.0), 1.0 - p, p)
    # Arbitrary where p is 0 or 1, but with a finite gradient.
    is_zero = tail <= 0.0
    half = ops.fill(ops.shape(p), np.array(0.5, dtype))
    tail = ops.where_v2(is_zero, half, tail)

    w = tail - 0.5
    squared = w**2
    cube = w * squared
    x_middle = w + cube * (_polynomial(squared, _P0) / _polynomial(squared, _Q0))
    x_middle *= -np.sqrt(2.0 * np.pi)

    z = ops.sqrt(-2.0 * ops.log(tail))
    first = z - ops.log(z) / z
    far = _polynomial(1.0 / z, _P2) / _polynomial(1.0 / z, _Q2) / z
    middle = _polynomial(1.0 / z, _P1) / _polynomial(1.0 / z, _Q1) / z
    x_far = first - far
    x_near = first - middle
    is_middle = tail > np.exp(-2.0)
    x = ops.where_v2(is_middle, x_middle, ops.where_v2(z >= 8.0, x_far, x_near))
    x = ops.where_v2(p > 1.0 - np.exp(-2.0), x, -x)

    scalar = ops.constant(np.inf, dtype=p.dtype)
    infinity = ops.fill(ops.shape(p), scalar)
    is_nonpositive = p <= 0.0
    minus_infinity = -infinity
    return ops.where_v2(is_nonpositive, minus_infinity, ops.where_v2(p >= 1.0, infinity, x))
