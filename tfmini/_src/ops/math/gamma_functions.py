"""Special functions of several arguments, by scipy: incomplete gamma and beta, zeta, polygamma.

As in TensorFlow, results are NaN outside the domain of a function and infinite at poles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native.elementwise_program import evaluate_series
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.shape_inference import Dims, merge
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_gradient import broadcast_operands
from tfmini._src.ops.math.special_functions import compute_digamma, declare
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import SINGLE_DOUBLE

# The native series are for orders up to these.
_LARGEST_ORDER, _LARGEST_ZETA = 1e5, 1e4


def _set_nan(result: Any, where: Any) -> np.ndarray:
    result = np.asarray(result)
    np.copyto(result, np.nan, where=where)
    return result


def _igamma(a: Any, x: Any) -> Any:
    if (result := _native_pairs("igamma", a, x)) is not None:
        return result
    result = np.where(x == 0, np.zeros_like(a), scipy.special.gammainc(a, x))
    return _set_nan(result, _no_gamma(a, x) & (x != 0) & ~_vanishes(a, x))


def _igammac(a: Any, x: Any) -> Any:
    if (result := _native_pairs("igammac", a, x)) is not None:
        return result
    return _set_nan(scipy.special.gammaincc(a, x), _no_gamma(a, x) & ~_vanishes(a, x))


def _native_pairs(name: str, a: Any, x: Any) -> np.ndarray | None:
    """Evaluates a function natively for float32 where its series converge; None for others, which scipy computes."""
    if a.dtype.char != "f" or not a.size or not a.max() <= _LARGEST_ORDER:
        return None
    return evaluate_series(name, a, x)


def _native_positive(name: str, order: Any, x: Any) -> np.ndarray | None:
    """Evaluates zeta or polygamma natively for float32, positive `x` and moderate orders; None for others."""
    if order.dtype.char != "f" or not (order.size and x.size):
        return None
    if not (order.max() <= _LARGEST_ZETA and x.min() > 0 and x.max() < np.inf):
        return None
    return evaluate_series(name, order, x)


def _no_gamma(a: Any, x: Any) -> Any:
    return (a <= 0) | (x < 0) | np.isinf(a)


def _vanishes(a: Any, x: Any) -> Any:
    """Whether the power series of igamma is 0 because `a` is infinite."""
    return np.isposinf(a) & (x >= 0) & (x < 1)


def _igamma_grad_a(a: Any, x: Any) -> Any:
    """Returns the derivative of igamma with respect to `a`."""
    if a.size and a.max() <= _LARGEST_ORDER:
        if (native := evaluate_series("igamma_slope", a, x)) is not None:
            return native
    dtype = a.dtype
    undefined = _no_gamma(a, x) | np.isnan(a)
    a, x = np.broadcast_arrays(a.astype("d"), x.astype("d"))
    above = (x > 1) & (x > a)  # the power series would need too many terms
    result = np.where(
        above,
        -_upper_slope(a, np.where(above, x, a + 2)),
        _lower_slope(a, np.where(above, 1.0, x)),
    )
    result = np.where((x == 0) | (x == np.inf), 0.0, result)
    return _set_nan(result, undefined & (x != 0)).astype(dtype)


def _lower_slope(a: Any, x: Any) -> Any:
    """Returns the derivative of the igamma power series with respect to `a`, summed to convergence."""
    term = np.ones_like(x)
    total, slope, harmonic = term.copy(), np.zeros_like(x), np.zeros_like(x)
    for n in range(1, 20_000):
        harmonic += 1 / (a + n)
        term = term * (x / (a + n))
        total += term
        slope -= term * harmonic
        if not (term * harmonic > 1e-17 * np.abs(slope)).any():
            break
    factor = np.exp(a * np.log(x) - x - scipy.special.gammaln(a + 1))
    return factor * ((np.log(x) - scipy.special.digamma(a + 1)) * total + slope)


def _upper_slope(a: Any, x: Any) -> Any:
    """Returns the derivative by `a` of igammac = x^a e^-x / gamma(a) * p / q, where p / q is a continued fraction.

    Each step computes p, q and their derivatives from the previous two by recurrence.
    """
    none = np.zeros_like(x)
    before, now = np.stack([none + 1, x, none, none]), np.stack([x + 1, (x + 2 - a) * x, none, -x])
    slope = none
    for n in range(1, 2_000):
        after = now * (x + 2 - a + 2 * n) - before * ((1 - a + n) * n)
        after[2:] += n * before[:2] - now[:2]
        size = np.maximum(np.abs(after[1]), 1)
        before, now = now / size, after / size
        fraction, last = now[0] / now[1], slope
        slope = (now[2] - fraction * now[3]) / now[1]
        if not (np.abs(slope - last) > 1e-16 * np.abs(slope)).any():
            break
    factor = np.exp(a * np.log(x) - x - scipy.special.gammaln(a))
    return factor * (slope + fraction * (np.log(x) - scipy.special.digamma(a)))


def _zeta(x: Any, q: Any) -> Any:
    result = _native_positive("zeta", x, q)
    if result is not None:
        return result
    return _set_nan(scipy.special.zeta(x, q), (x > 1) & np.isposinf(q))


def _polygamma(n: Any, x: Any) -> Any:
    if (native := _native_positive("polygamma", n, x)) is not None:
        return native
    sign = np.where(n % 2 == 0, -1, 1)
    result = sign * scipy.special.gamma(n + 1) * scipy.special.zeta(n + 1, x)
    result = np.where(n == 0, compute_digamma(x), result)
    return _set_nan(result, (n < 0) | (n != np.floor(n)) | ((n > 0) & np.isposinf(x)))


_INCOMPLETE = "a: T, x: T -> z: T"
igamma_op = declare("Igamma", _INCOMPLETE, SINGLE_DOUBLE, _igamma)
igammac_op = declare("Igammac", _INCOMPLETE, SINGLE_DOUBLE, _igammac)
igamma_grad_a_op = declare("IgammaGradA", _INCOMPLETE, SINGLE_DOUBLE, _igamma_grad_a)
zeta_op = declare("Zeta", "x: T, q: T -> z: T", SINGLE_DOUBLE, _zeta)
polygamma_op = declare("Polygamma", _INCOMPLETE, SINGLE_DOUBLE, _polygamma)


@op("Betainc", "a: T, b: T, x: T -> z: T", through_host=True, elementwise=True, T=SINGLE_DOUBLE)
def betainc_op(xp, a, b, x):
    shapes = [v.shape for v in (a, b, x)]
    if shapes[0] != shapes[1] or shapes[0] != shapes[2]:
        _check_equal("abx", shapes)
    if a.dtype.char == "f" and a.size and b.size and max(a.max(), b.max()) <= _LARGEST_ORDER:
        if (native := evaluate_series("betainc", a, b, x)) is not None:
            is_endpoint = ((x == 0) | (x == 1)) & (a > 0) & (b > 0)
            return np.where(is_endpoint, x, native)
    undefined = (a <= 0) | (b <= 0) | (x < 0) | (x > 1)
    undefined |= (np.isinf(a) | np.isinf(b)) & (x != 0) & (x != 1)
    is_endpoint = (x == 0) | (x == 1)  # decided before NaN
    result = _set_nan(np.where(is_endpoint, x, scipy.special.betainc(a, b, x)), undefined)
    return result.astype(a.dtype, copy=False)


def _check_equal(names: str, shapes: list[tuple]) -> None:
    """Raises an error for non-scalar tensors of different shapes."""
    (first, shape), *remaining = [(n, s) for n, s in zip(names, shapes) if s]
    for name, other in remaining:
        if other != shape:
            invalid(
                f"Shapes of {first} and {name} are inconsistent: {shape_text(shape)} vs. "
                f"{shape_text(other)}",
            )


@betainc_op.infer
def _(op) -> Dims:
    """Allows scalars with any shape; all other shapes must be equal."""
    result: Dims = ()
    for tensor in op.inputs:
        if tensor._dims != ():
            result = tensor._dims if result == () else merge(result, tensor._dims)
    return result


@igamma_op.gradient
def _(op, grad):
    return _igamma_gradient(op, grad)


@igammac_op.gradient
def _(op, grad):
    a_grad, x_grad = _igamma_gradient(op, grad)
    return -a_grad, -x_grad


def _igamma_gradient(op: Any, grad: Any) -> tuple:
    a, x = op.inputs
    to_a, to_x = broadcast_operands(a, x)
    with control_dependencies([grad]):
        a_slope = raw.IgammaGradA(a, x)
        x_derivative = ops.exp(-x + (a - 1) * ops.log(x) - ops.lgamma(a))
        return to_a.reduce(a_slope * grad), to_x.reduce(x_derivative * grad)


@betainc_op.gradient
def _(op, grad):
    a, b, x = op.inputs
    _, to_x = broadcast_operands(a, x)
    log_beta = raw.Lgamma(a) + raw.Lgamma(b) - raw.Lgamma(a + b)
    x_derivative = ops.exp((b - 1) * ops.log(1 - x) + (a - 1) * ops.log(x) - log_beta)
    return None, None, to_x.reduce(x_derivative * grad)


@zeta_op.gradient
def _(op, grad):
    x, q = op.inputs
    _, to_q = broadcast_operands(x, q)
    with control_dependencies([grad]):
        x, q = ops.conj(x), ops.conj(q)
        q_derivative = -x * ops.zeta(x + 1, q)
        return None, to_q.reduce(q_derivative * grad)


@polygamma_op.gradient
def _(op, grad):
    n, x = op.inputs
    _, to_x = broadcast_operands(n, x)
    with control_dependencies([grad]):
        n, x = ops.conj(n), ops.conj(x)
        x_derivative = ops.polygamma(n + 1, x)
        return None, to_x.reduce(x_derivative * grad)


@public
def igamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the regularized lower incomplete gamma function, elementwise.

    Args:
      a, x: float32 or float64 tensors of the same dtype whose shapes broadcast; NaN unless a > 0 and x >= 0.
    """
    return raw.Igamma(a, x, name=name)


@public
def igammac(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the regularized upper incomplete gamma function, `1 - igamma(a, x)`."""
    return raw.Igammac(a, x, name=name)


@public
def zeta(x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """Returns the Hurwitz zeta function, the sum of `(n + q) ** -x` over n = 0, 1, 2, ..., elementwise.

    Args:
      x, q: float32 or float64 tensors of the same dtype whose shapes broadcast; NaN for x < 1.
    """
    return raw.Zeta(x, q, name=name)


@public
def polygamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the derivative of order `a` of `tf.digamma`, elementwise; NaN unless `a` is a non-negative integer."""
    return raw.Polygamma(a, x, name=name)


@public
def betainc(a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the regularized incomplete beta function of `a` and `b` at `x`, elementwise.

    Args:
      a, b, x: float32 or float64 tensors of the same dtype; non-scalars must have the same shape.
    """
    return raw.Betainc(a, b, x, name=name)
