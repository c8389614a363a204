"""Declares ops whose kernel is a single numpy ufunc: `exp_op = unary("Exp", "exp", FLOATS_COMPLEX)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import complex64, float32
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.threads import parallel_function
from tfmini._src.graph.opdef import OpDef, op
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.shape_inference import broadcast, same_shape
from tfmini._src.ops import ops

# Functions of complex64 that take twice the time of the same functions of complex128 in glibc.
_FASTER_IN_DOUBLE = frozenset(
    {"sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arcsinh", "arccosh"}
)
NO_FLOAT_CONSTANT = "Invalid cast from floating point type to {} in ConstantR0WithType."


def _declare(
    name: str,
    signature: str,
    ufunc: str,
    types: Any,
    flags: dict,
    complex_kernel: Callable[..., Any] | None = None,
) -> OpDef:
    attrs = {} if types is None else {"T": types}
    count = signature.partition("->")[0].count(":")

    def kernel(xp, *inputs):
        if complex_kernel and inputs[0].dtype.kind == "c":
            return complex_kernel(xp, *inputs)
        if xp is np and ufunc in _FASTER_IN_DOUBLE and inputs[0].dtype == np.complex64:
            return _in_double(getattr(np, ufunc))(*inputs)
        return getattr(xp, ufunc)(*inputs)

    opdef = op(name, signature, elementwise=True, **flags, **attrs)(kernel)
    opdef.infer(same_shape if count == 1 else broadcast)
    if types and float32 in types:
        opdef.ufunc = ufunc

    @opdef.bind
    def _(ctx):
        if complex_kernel and ctx.op.inputs[0].dtype.is_complex:
            return None
        if ctx.xp is not np:
            return getattr(ctx.xp, ufunc)
        function = parallel_function(ufunc, ctx.dims[0])
        is_single = ufunc in _FASTER_IN_DOUBLE and ctx.op.inputs[0].dtype == complex64
        return _in_double(function) if is_single else function

    return opdef


def _in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function of complex64 that computes in complex128."""
    return lambda x: function(x.astype(np.complex128)).astype(np.complex64)


def chain_rule(derivative: Callable[[Any], Any]) -> Callable[..., Any]:
    """Returns a gradient rule, `grad` times `derivative` of the conjugated input, which is computed after `grad`."""

    def rule(op: Any, grad: Any) -> Any:
        with control_dependencies([grad]):
            return grad * derivative(ops.conj(op.inputs[0]))

    return rule


def unary(
    name: str,
    ufunc: str,
    types: Any,
    signature: str = "x: T -> y: T",
    integer_error: str = "",
    complex_kernel: Callable[..., Any] | None = None,
    gradient: Callable[..., Any] | None = None,
) -> OpDef:
    """Declares the unary op `name`, computed by numpy's `ufunc` for all of `types`.

    integer_error: the error for integers, which the OpDef allows but TensorFlow does not support.
    complex_kernel: the kernel for complex numbers where `ufunc` differs from TensorFlow.
    gradient: the gradient rule, as for `op`.
    """
    flags = {"gradient": gradient}
    opdef = _declare(name, signature, ufunc, types, flags, complex_kernel)
    if integer_error:

        @opdef.check_attrs
        def _(attrs, on_gpu):
            if attrs["T"].is_integer:
                invalid(integer_error.format(f"S{attrs['T'].size * 8}"))

    return opdef


def binary(
    name: str, ufunc: str, types: Any, signature: str = "x: T, y: T -> z: T", **flags: bool
) -> OpDef:
    """Declares the broadcasting binary op `name`, computed by numpy's `ufunc` for all of `types`."""
    return _declare(name, signature, ufunc, types, flags)
