"""Quotients and remainders: true division, floor division, and C-style truncation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.devices.host.native.math.integer_division import divide_integers
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import broadcast
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_gradient import broadcast_operands
from tfmini._src.ops.type_lists import FLOATS, NO_NAN, SMALL_AND_SIGNED_COMPLEX

_MODULAR = (dtypes.int32, dtypes.int64, *FLOATS)
_ODD_ERROR = "Unexpected error in binary operator (only integer div and mod should have errors)"


def _divides_by_zero(xp: Any, x: Any, y: Any) -> bool:
    """Whether an integer division has a zero divisor; empty operands are exempt.

    NumPy raises an error for incompatible shapes first. Not checked on a GPU, which would require synchronization.
    """
    return xp is np and not (y.all() if y.ndim else y) and bool(xp.add(x, y).size)


def _check_nonzero(xp: Any, x: Any, y: Any) -> None:
    if _divides_by_zero(xp, x, y):
        invalid("Integer division by zero")


def _truncate_divide(xp: Any, x: Any, y: Any) -> Any:
    """Returns the integer quotient truncated towards zero."""
    if xp is np and x.dtype.kind == "i":
        return np.floor_divide(np.subtract(x, np.fmod(x, y)), y)
    quotient = xp.floor_divide(x, y)
    if x.dtype.kind == "u":
        return quotient
    # CuPy's `fmod` of integers computes in double precision.
    is_negative = xp.less(xp.multiply(xp.sign(x), xp.sign(y)), 0)
    is_inexact = xp.not_equal(xp.multiply(quotient, y), x)
    return xp.add(quotient, xp.bitwise_and(is_negative, is_inexact))


def _xla_quotient(xp: Any, x: Any, y: Any) -> Any:
    """Returns the integer quotient as in XLA's kernels: truncated towards zero; division by 0 sets all bits."""
    with np.errstate(divide="ignore"):
        return xp.where(xp.equal(y, 0), ~x.dtype.type(0), _truncate_divide(xp, x, y))


@op(
    "RealDiv",
    "x: T, y: T -> z: T",
    gradient=lambda op, grad: _quotient_gradient(op, grad, raw.RealDiv),
    ufunc="divide",
    elementwise=True,
    T=SMALL_AND_SIGNED_COMPLEX,
)
def real_div_op(xp, x, y):
    if x.dtype.kind not in "iu":
        return xp.divide(x, y)
    return _xla_quotient(xp, x, y)  # TensorFlow's other integer kernels are XLA's


real_div_op.infer(broadcast)


@real_div_op.bind
def _(ctx):
    return None if ctx.op.inputs[0].dtype.is_integer else ctx.xp.divide


@op("Div", "x: T, y: T -> z: T", ufunc="divide", elementwise=True, T=SMALL_AND_SIGNED_COMPLEX)
def div_op(xp, x, y):
    if x.dtype.kind not in "iu":
        return xp.divide(x, y)
    _check_nonzero(xp, x, y)
    return _truncate_divide(xp, x, y)


div_op.infer(broadcast)


@op("TruncateDiv", "x: T, y: T -> z: T", elementwise=True, T=SMALL_AND_SIGNED_COMPLEX)
def truncate_div_op(xp, x, y):
    if x.dtype.kind not in "iu":
        return xp.divide(x, y)  # like TensorFlow's XLA kernel, the only kernel for floats
    if x.dtype == np.int8:
        return _xla_quotient(xp, x, y)
    if _divides_by_zero(xp, x, y):
        raise InternalError(None, None, _ODD_ERROR)
    return _truncate_divide(xp, x, y)


truncate_div_op.infer(broadcast)


def _wraps(x: Any, y: Any) -> bool:
    """Whether |x| + |y| - 1 may overflow; for short dtypes, which are added as int32, whether |x| or |y| may."""
    sizes: tuple[int, ...]
    if x.ndim == y.ndim == 0:
        if x >= 0 and y >= 0:  # checks that the shapes match
            return False
        sizes = abs(int(x)), abs(int(y))
    elif x.size and y.size:
        sizes = tuple(max(-int(v.min()), int(v.max())) for v in (x, y))
    else:
        return False
    max_value = (1 << 8 * x.dtype.itemsize - 1) - 1
    return (max(sizes) if x.dtype.itemsize < 4 else sum(sizes) - 1) > max_value


def _floor_of_wrapped(x: Any, y: Any) -> Any:
    """Returns TensorFlow's floor quotient, -(|x| + |y| - 1) / |y| for different signs, with its overflow errors."""
    wide_dtype = np.result_type(x.dtype, np.int32)
    with np.errstate(over="ignore"):
        size_x, size_y = (np.abs(np.atleast_1d(v)).astype(wide_dtype) for v in (x, y))
        truncated_quotient = _truncate_divide(np, -(size_x + size_y - 1), size_y)
        quotient = np.where(
            (x < 0) != (y < 0), truncated_quotient, _truncate_divide(np, np.atleast_1d(x), y)
        )
    return quotient.astype(x.dtype).reshape(np.broadcast_shapes(x.shape, y.shape))


@op(
    "FloorDiv",
    "x: T, y: T -> z: T",
    infer=broadcast,
    gradient=lambda op, grad: (None, None),
    elementwise=True,
    T=SMALL_AND_SIGNED_COMPLEX,
)
def floor_div_op(xp, x, y):
    if x.dtype.kind not in "iu":
        return xp.floor(xp.divide(x, y))
    if xp is np and (native := divide_integers("floor_divide", x, y)) is not None:
        return native
    _check_nonzero(xp, x, y)
    if x.dtype.kind == "i" and xp is np and _wraps(x, y):
        return _floor_of_wrapped(x, y)
    return xp.floor_divide(x, y)


floor_div_op.computes(native=(("divide", "x", "y"), ("floor", 0)))


@op("FloorMod", "x: T, y: T -> z: T", ufunc="remainder", elementwise=True, T=_MODULAR)
def floor_mod_op(xp, x, y):
    if x.dtype.kind == "i":
        if xp is np and (native := divide_integers("remainder", x, y)) is not None:
            return native
        _check_nonzero(xp, x, y)
    return xp.remainder(x, y)


floor_mod_op.infer(broadcast)


@op(
    "TruncateMod", "x: T, y: T -> z: T", ufunc="fmod", infer=broadcast, elementwise=True, T=_MODULAR
)
def truncate_mod_op(xp, x, y):
    if x.dtype.kind == "i" and _divides_by_zero(xp, x, y):
        raise InternalError(None, None, _ODD_ERROR)
    return xp.fmod(x, y)


@op(
    "Mod",
    "x: T, y: T -> z: T",
    ufunc="fmod",
    infer=broadcast,
    elementwise=True,
    T=(
        *(dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float16),
        *(dtypes.bfloat16, dtypes.float32, dtypes.float64),
    ),
)
def mod_op(xp, x, y):
    if x.dtype.kind == "i":
        _check_nonzero(xp, x, y)
    return xp.fmod(x, y)


@op("DivNoNan", "x: T, y: T -> z: T", infer=broadcast, elementwise=True, T=NO_NAN)
def div_no_nan_op(xp, x, y):
    if xp is np and x.dtype.kind == "f" and not (x.ndim or y.ndim):
        return x / y if y else x.dtype.type(0)
    quotient = xp.asarray(xp.divide(x, y))
    xp.copyto(quotient, 0, where=xp.equal(y, 0))
    return quotient


div_no_nan_op.computes(native=(("divide", "x", "y"), ("where", "y", 0, 0.0)))


@div_op.gradient
def _(op, grad):
    return _quotient_gradient(op, grad, ops.divide)


@div_no_nan_op.gradient
def _(op, grad):
    return _quotient_gradient(op, grad, ops.div_no_nan)


def _quotient_gradient(op: Any, grad: Any, divide: Any) -> tuple:
    """Returns the gradients of x / y: grad / y and grad * (-x / y / y)."""
    x, y = op.inputs
    to_x, to_y = broadcast_operands(x, y)
    x, y = ops.conj(x), ops.conj(y)
    return to_x.reduce(divide(grad, y)), to_y.reduce(grad * divide(divide(-x, y), y))


@truncate_div_op.gradient
def _(op, grad):
    return None, None


@floor_mod_op.gradient
def _(op, grad):
    x, y = ops.conj(op.inputs[0]), ops.conj(op.inputs[1])
    to_x, to_y = broadcast_operands(x, y)
    quotient = raw.FloorDiv(x, y)
    return to_x.reduce(grad), to_y.reduce(grad * raw.Neg(quotient))


# The dtype to cast to before Python 3's `/`, by operand dtype; None for no cast.
TRUE_DIVISION = {
    **dict.fromkeys((dtypes.uint8, dtypes.int8, dtypes.uint16, dtypes.int16), dtypes.float32),
    **dict.fromkeys((dtypes.int32, dtypes.int64), dtypes.float64),
    **dict.fromkeys((*FLOATS, dtypes.complex64, dtypes.complex128)),
}


def _same_dtype(x: Tensor, y: Tensor) -> dtypes.DType:
    dtype, other = x.dtype.base_dtype, y.dtype.base_dtype
    if dtype is not other:
        raise TypeError(f"x and y must have the same dtype, got {dtype!r} != {other!r}")
    return dtype


@public
def truediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes `x / y` as Python 3 does: integers are converted to floats (8- and 16-bit to float32, else float64).

    Args:
      x, y: tensors of the same numeric dtype whose shapes broadcast.

    Raises:
      TypeError: if the dtypes differ or do not support division.

    Example: `tf.truediv([7], [2])` is `[3.5]`.
    """
    with name_scope(name, "truediv", [x, y]) as name:
        x = ops.convert_to_tensor(x, name="x")
        y = ops.convert_to_tensor(y, name="y")
        dtype = _same_dtype(x, y)
        if dtype not in TRUE_DIVISION:
            raise TypeError(f"Invalid dtype {dtype!r} in __truediv__")
        floating = TRUE_DIVISION[dtype]
        if floating is not None:
            x, y = ops.cast(x, floating), ops.cast(y, floating)
        return raw.RealDiv(x, y, name=name)


@public
def div_python2(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x / y` with Python 2 semantics: floor division for integers."""
    with name_scope(name, "div", [x, y]) as name:
        x = ops.convert_to_tensor(x, name="x")
        y = ops.convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        dtype = _same_dtype(x, y)
        if dtype.is_floating or dtype.is_complex:
            return raw.RealDiv(x, y, name=name)
        return raw.FloorDiv(x, y, name=name)


@public
@deprecated(None, "Deprecated in favor of operator or tf.math.divide.")
def div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x / y` with Python 2 semantics: true division for floats, floor division for integers."""
    return ops.div_python2(x, y, name)


class _NamedOperand:
    """A division operand that names the resulting node."""

    def __init__(self, x: Any, name: str):
        self.x = x
        self.name = name

    def __truediv__(self, y: Any) -> Tensor:
        return ops.truediv(self.x, y, self.name)


@public
def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns `x / y` with Python 3 semantics and an optional node name."""
    return x / y if name is None else _NamedOperand(x, name) / y


@public
def realdiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x / y`, elementwise, for float or complex tensors of the same dtype whose shapes broadcast."""
    return raw.RealDiv(x, y, name=name)


@public
def floordiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes `x // y`: the quotient rounded down, in the dtype of `x` and `y`.

    Args:
      x, y: tensors of the same real dtype whose shapes broadcast.

    Raises:
      InvalidArgumentError (when run): for integer division by zero.

    Example: `tf.floordiv([7, -7], 2)` is `[3, -4]`.
    """
    with name_scope(name, "floordiv", [x, y]) as name:
        return raw.FloorDiv(x, y, name=name)


def floor_div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x // y`, elementwise; see `tf.floordiv`."""
    return raw.FloorDiv(x, y, name=name)


@public
def truncatediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns the integer quotient truncated towards zero, as in C: -7 divided by 2 is -3."""
    return raw.TruncateDiv(x, y, name=name)


@public
def floormod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x % y` as in Python: the remainder of `x // y`, with the sign of `y`.

    Args:
      x, y: float, int32 or int64 tensors of the same dtype whose shapes broadcast.

    Raises:
      InvalidArgumentError (when run): for an integer modulus of zero.

    Example: `tf.floormod([7, -7], 3)` is `[1, 2]`.
    """
    return raw.FloorMod(x, y, name=name)


public(floormod, name="mod")


@public
def truncatemod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x % y` as in C: the remainder of `tf.truncatediv`, with the sign of `x`."""
    return raw.TruncateMod(x, y, name=name)


@public
def div_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x / y`, elementwise, but 0 where `y` is 0.

    Args:
      x, y: float or complex tensors of the same dtype whose shapes broadcast.

    Raises:
      TypeError: if the dtypes differ.
    """
    with name_scope(name, "div_no_nan", [x, y]) as name:
        x = ops.convert_to_tensor(x, name="x")
        y = ops.convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        _same_dtype(x, y)
        return raw.DivNoNan(x, y, name=name)
