"""Special functions of one argument: error, gamma and Bessel functions.

CPU kernels use scipy, or the native library for the error function of arrays and the gamma functions of float32
arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.devices.cuda.launch import supports
from tfmini._src.devices.cuda.special import special
from tfmini._src.devices.host.native.elementwise_program import evaluate_unary
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.opdef import OpDef, op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import broadcast, same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import extend_to_sparse
from tfmini._src.ops.type_lists import FLOATS
from tfmini._src.ops.ufuncs import chain_rule

_MIN_BESSEL_ELEMENTS = 1 << 7  # below, scipy's call costs less


def declare(name: str, signature: str, types: tuple, function: Callable, on_gpu: str = "") -> OpDef:
    """Declares an op that `function` computes from float32 or float64 numpy arrays.

    On a GPU, it runs the kernel `on_gpu` if specified, or else `function` on the host.
    """

    def kernel(xp, *inputs):
        dtype = inputs[0].dtype
        if dtype.itemsize == 2:
            inputs = tuple(x.astype("f") for x in inputs)
        return np.asarray(function(*inputs)).astype(dtype, copy=False)

    opdef = op(name, signature, elementwise=True, host_or_cuda=bool(on_gpu), T=types)(kernel)
    opdef.infer(same_shape if signature.count(":") == 2 else broadcast)
    if not on_gpu:
        opdef.through_host = True
        return opdef

    @opdef.on_gpu
    def _(gpu, x):
        result = special(gpu.xp, on_gpu, x if supports(x.dtype) else x.astype("f"))
        return result.astype(x.dtype, copy=False)

    return opdef


def compute_digamma(x: Any) -> Any:
    result = evaluate_unary("digamma", x) if x.dtype.char == "f" else None
    if result is not None:
        return result
    return _set_infinite(np.asarray(scipy.special.digamma(x)), (x <= 0) & (x == np.floor(x)))


def _set_infinite(result: np.ndarray, where: Any) -> np.ndarray:
    np.copyto(result, np.inf, where=where)
    return result


def _erf(x: Any) -> Any:
    if x.dtype.char != "d":
        result = evaluate_unary("erf", x)
    else:  # SciPy's error exceeds 2 ulp
        result = evaluate_unary("erf", np.reshape(x, -1), 1)
        result = None if result is None else result.reshape(x.shape)
    return scipy.special.erf(x) if result is None else result


def _lgamma(x: Any) -> Any:
    result = evaluate_unary("lgamma", x) if x.dtype.char == "f" else None
    if result is not None:
        return result
    return _set_infinite(np.asarray(scipy.special.gammaln(x)), np.isinf(x))


def _scaled_bessel(name: str) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        result = evaluate_unary(name, x, _MIN_BESSEL_ELEMENTS) if x.dtype.char == "f" else None
        return getattr(scipy.special, name)(x) if result is None else result

    return function


_UNARY = "x: T -> y: T"
erf_op = declare("Erf", _UNARY, FLOATS, _erf, "erf")
erf_op.computes(native=(("erf", "x"),))
erfc_op = declare("Erfc", _UNARY, FLOATS, lambda x: scipy.special.erfc(x), "erfc")
erfc_op.computes(native=(("erfc", "x"),))
lgamma_op = declare("Lgamma", _UNARY, FLOATS, _lgamma, "lgamma")
digamma_op = declare("Digamma", _UNARY, FLOATS, compute_digamma, "digamma")
lgamma_op.computes(native=(("lgamma", "x"),))
digamma_op.computes(native=(("digamma", "x"),))
lgamma_op.gradient(chain_rule(lambda x: raw.Digamma(x)))
digamma_op.gradient(chain_rule(lambda x: raw.Polygamma(ops.constant(1, dtype=x.dtype), x)))
bessel_i0e_op = declare("BesselI0e", _UNARY, FLOATS, _scaled_bessel("i0e"))
bessel_i1e_op = declare("BesselI1e", _UNARY, FLOATS, _scaled_bessel("i1e"))


def _two_over_root_pi(sign: int, grad: Any) -> Tensor:
    return ops.constant(sign * 2 / np.sqrt(np.pi), dtype=grad.dtype)


def _erf_gradient(op: Any, grad: Any, factor: Tensor) -> Tensor:
    with control_dependencies([grad]):
        x = ops.conj(op.inputs[0])
        return grad * factor * ops.exp(-ops.square(x))


@erf_op.gradient
def _(op, grad):
    return _erf_gradient(op, grad, _two_over_root_pi(1, grad))


@erfc_op.gradient
def _(op, grad):
    return _erf_gradient(op, grad, _two_over_root_pi(-1, grad))


@bessel_i0e_op.gradient
def _(op, grad):
    x, y = op.inputs[0], op.outputs[0]
    with control_dependencies([grad]):
        return grad * (ops.bessel_i1e(x) - ops.sign(x) * y)


@bessel_i1e_op.gradient
def _(op, grad):
    x, y = op.inputs[0], op.outputs[0]
    with control_dependencies([grad]):
        # 0.5 at 0, where the formula would divide by 0.
        smallest = np.finfo(x.dtype.as_numpy_dtype).eps
        zeros = ops.zeros_like(x)
        is_safe = ops.abs(x) > smallest
        safe = ops.where(is_safe, x, smallest + zeros)
        slope = ops.bessel_i0e(safe) - y * (ops.sign(safe) + ops.reciprocal(safe))
        return grad * ops.where(is_safe, slope, 0.5 + zeros)


@public
@extend_to_sparse
def erf(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the error function of each element: `2 / sqrt(pi)` times the integral of `exp(-t * t)` from 0 to `x`.

    Args:
      x: a float tensor.

    Returns:
      A Tensor of the shape and dtype of `x`, between -1 and 1.

    Example: `tf.erf([0.5])` is `[0.5204999]`.
    """
    return raw.Erf(x, name=name)


@public
def erfc(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `1 - erf(x)`, elementwise, also accurate for large `x`, for a float tensor."""
    return raw.Erfc(x, name=name)


@public
def lgamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the logarithm of the absolute value of the gamma function, elementwise, for a float tensor."""
    return raw.Lgamma(x, name=name)


@public
def digamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the derivative of `tf.lgamma`, elementwise, for a float tensor."""
    return raw.Digamma(x, name=name)


@public
@extend_to_sparse
def bessel_i0e(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the modified Bessel function of order 0 times `exp(-abs(x))`, elementwise, for a float tensor."""
    return raw.BesselI0e(x, name=name)


@public
@extend_to_sparse
def bessel_i1e(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the exponentially scaled modified Bessel function of the first kind of order 1, elementwise."""
    return raw.BesselI1e(x, name=name)


@public
def bessel_i0(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the modified Bessel function of order 0, elementwise, for a float tensor."""
    with name_scope(name, "bessel_i0", [x]):
        return ops.exp(ops.abs(x)) * ops.bessel_i0e(x)


@public
def bessel_i1(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the modified Bessel function of order 1, elementwise, for a float tensor."""
    with name_scope(name, "bessel_i1", [x]):
        return ops.exp(ops.abs(x)) * ops.bessel_i1e(x)


@public
def lbeta(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the logarithm of the absolute value of the beta function along the last axis, [..., n] to [...]."""
    with name_scope(name, "lbeta", [x]):
        x = ops.convert_to_tensor(x, name="x")
        log_gamma_sum = ops.reduce_sum(ops.lgamma(x), axis=[-1])
        total = ops.reduce_sum(x, axis=[-1])
        return log_gamma_sum - ops.lgamma(total)
