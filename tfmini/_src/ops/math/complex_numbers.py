"""Complex numbers: construction from real tensors, and real and imaginary parts."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import broadcast, same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_gradient import broadcast_operands
from tfmini._src.ops.type_lists import COMPLEX, SINGLE_DOUBLE

_REAL = Attr("type", dtypes.float32, allowed=SINGLE_DOUBLE)
_COMPLEX = Attr("type", dtypes.complex64, allowed=COMPLEX)


@op("Complex", "real: T, imag: T -> out: Tout", elementwise=True, T=_REAL, Tout=_COMPLEX)
def complex_op(xp, real, imag, *, Tout):
    # Not real + 1j * imag: an infinite imag would make real NaN.
    result = xp.empty(xp.broadcast_shapes(real.shape, imag.shape), Tout.numpy)
    result.real, result.imag = real, imag
    return result


complex_op.infer(broadcast)


@op("Real", "input: T -> output: Tout", infer=same_shape, elementwise=True, T=_COMPLEX, Tout=_REAL)
def real_op(xp, value, *, Tout):
    return value.real.astype(Tout.numpy)


@op("Imag", "input: T -> output: Tout", infer=same_shape, elementwise=True, T=_COMPLEX, Tout=_REAL)
def imag_op(xp, value, *, Tout):
    return value.imag.astype(Tout.numpy)


@op("Angle", "input: T -> output: Tout", infer=same_shape, elementwise=True, T=_COMPLEX, Tout=_REAL)
def angle_op(xp, value, *, Tout):
    return xp.arctan2(value.imag, value.real).astype(Tout.numpy)


@op("ComplexAbs", "x: T -> y: Tout", infer=same_shape, elementwise=True, T=_COMPLEX, Tout=_REAL)
def complex_abs_op(xp, x, *, Tout):
    return xp.abs(x).astype(Tout.numpy)


@op(
    "Conj",
    "input: T -> output: T",
    infer=same_shape,
    elementwise=True,
    T=Attr("type", dtypes.complex64, allowed=(*COMPLEX, dtypes.variant)),
)
def conj_op(xp, value):
    return xp.conjugate(value)


@conj_op.gradient
def _(op, grad):
    return ops.conj(grad)


@complex_op.gradient
def _(op, grad):
    to_real, to_imag = broadcast_operands(*op.inputs)
    return to_real.reduce(ops.real(grad)), to_imag.reduce(ops.imag(grad))


@real_op.gradient
def _(op, grad):
    return ops.complex(grad, ops.constant(0, dtype=grad.dtype))


@imag_op.gradient
def _(op, grad):
    return ops.complex(ops.constant(0, dtype=grad.dtype), grad)


@angle_op.gradient
def _(op, grad):
    x = op.inputs[0]
    with control_dependencies([grad]):
        real, imag = ops.real(x), ops.imag(x)
        inverse = ops.reciprocal(ops.complex(imag, real))
        zero = ops.constant(0, dtype=grad.dtype)
        return -ops.complex(grad, zero) * inverse


@complex_abs_op.gradient
def _(op, grad):
    modulus = op.outputs[0]
    grad_times_x = ops.complex(grad, ops.zeros_like(grad)) * op.inputs[0]
    return ops.div_no_nan(grad_times_x, ops.complex(modulus, ops.zeros_like(modulus)))


@public
def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """Returns `real + imag * 1j`, elementwise.

    Args:
      real, imag: float32 or float64 tensors of the same dtype whose shapes broadcast.

    Returns:
      A complex64 or complex128 Tensor.

    Raises:
      TypeError: for other dtypes.
    """
    real = ops.convert_to_tensor(real, name="real")
    imag = ops.convert_to_tensor(imag, name="imag")
    with name_scope(name, "Complex", [real, imag]) as name:
        part_dtypes = (real.dtype, imag.dtype)
        if part_dtypes == (dtypes.float64, dtypes.float64):
            result = dtypes.complex128
        elif part_dtypes == (dtypes.float32, dtypes.float32):
            result = dtypes.complex64
        else:
            raise TypeError(
                f"real and imag have incorrect types: {real.dtype.name} {imag.dtype.name}"
            )
        return raw.Complex(real, imag, Tout=result, name=name)


@public
def real(input: TensorLike, name: str | None = None) -> Tensor:
    """Returns the real part of each element; real tensors are returned unchanged."""
    with name_scope(name, "Real", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return input
        return raw.Real(input, Tout=input.dtype.real_dtype, name=name)


@public
def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """Returns the imaginary part of each element, zeros for a real tensor."""
    with name_scope(name, "Imag", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return ops.zeros_like(input)
        return raw.Imag(input, Tout=input.dtype.real_dtype, name=name)


@public
def angle(input: TensorLike, name: str | None = None) -> Tensor:
    """Returns the argument of each element in radians, `atan2(imag, real)`; zeros for a real tensor."""
    with name_scope(name, "Angle", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return ops.zeros_like(input)
        return raw.Angle(input, Tout=input.dtype.real_dtype, name=name)


@public
def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the complex conjugate of each element; real tensors are returned unchanged.

    Raises:
      TypeError: if the dtype of `x` is not numeric.
    """
    if isinstance(x, Tensor) and (x.dtype.is_floating or x.dtype.is_integer):
        return x
    with name_scope(name, "Conj", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.is_complex or x.dtype == dtypes.variant:
            return raw.Conj(x, name=name)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")
