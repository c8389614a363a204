"""Activation functions and their gradient ops.

`ReluGrad` and `EluGrad` can compute derivatives from the results, so the gradient rules retain
the outputs instead of the inputs. Kernels avoid `where`, which costs more than equivalent
arithmetic with a comparison as a factor, or with a minimum and a maximum. On large arrays
`clip` is three times as fast as `minimum` and `maximum` with a scalar.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import qint8
from tfmini._src.devices.cuda.launch import REALS, supports
from tfmini._src.devices.cuda.reductions import relu_gradient
from tfmini._src.graph.opdef import Attr, OpDef, op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import merge, same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import check_same_shape
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE, REAL_NUMBERS


def _merge_shapes(op):
    """Returns the shape of a gradient op whose two inputs have the same shape."""
    return merge(op.inputs[0]._dims, op.inputs[1]._dims)


def _activation(name: str, types: Any = HALF_TO_DOUBLE, **attrs: Any) -> Any:
    """Declares an op `features -> activations`, which preserves the shape."""

    def declare(kernel: Any) -> OpDef:
        signature = "features: T -> activations: T"
        return op(name, signature, infer=same_shape, elementwise=True, **attrs, T=types)(kernel)

    return declare


def _derivative(name: str, operand: str, types: Any = HALF_TO_DOUBLE, **attrs: Any) -> Any:
    """Declares an op `gradients, features (or outputs) -> backprops`."""

    def declare(kernel: Any) -> OpDef:
        signature = f"gradients: T, {operand}: T -> backprops: T"
        opdef = op(name, signature, elementwise=True, **attrs, T=types)(kernel)
        opdef.infer(_merge_shapes)
        return opdef

    return declare


def _positive_part(xp: Any, x: Any, out: Any = None) -> Any:
    if x.size < _MIN_CLIPPED_ELEMENTS or x.dtype.kind not in _DTYPE_LIMITS:
        return xp.maximum(x, x.dtype.type(0), out=out)
    return x.clip(0, _DTYPE_LIMITS[x.dtype.kind](x.dtype).max, out=out)


def _negative_part(xp: Any, x: Any) -> Any:
    """Returns min(x, 0) for floats."""
    if x.size < _MIN_CLIPPED_ELEMENTS or x.dtype.kind != "f":
        return xp.minimum(x, x.dtype.type(0))
    return x.clip(-np.inf, 0)


def _exp(xp: Any, x: Any) -> Any:
    """Returns exp(x), computed in place if `x` is an array."""
    return xp.exp(x, out=x if isinstance(x, np.ndarray) else None)


class _UnboundedLimits:
    """Counterpart of numpy's iinfo for floats, whose maximum is infinity."""

    max = np.inf

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype


_MIN_CLIPPED_ELEMENTS = 2048  # elements above which `clip` pays off
_DTYPE_LIMITS: dict[str, Any] = {"f": _UnboundedLimits, "i": np.iinfo, "u": np.iinfo}


def _zero_gradient(x: Tensor) -> Tensor:
    """Returns zeros with the shape of `x`, the second derivative of piecewise linear functions."""
    return ops.zeros(shape=ops.shape(x), dtype=x.dtype)


@_activation(
    "Relu", (*REAL_NUMBERS, qint8), gradient=lambda op, grad: raw.ReluGrad(grad, op.outputs[0])
)
def relu_op(xp, features):
    return _positive_part(xp, features)


relu_op.computes(("maximum", "x", 0.0), exact=True)


@relu_op.bind
def _(ctx):
    """Writes into the features if there is no other consumer."""
    xp = ctx.xp
    if "features" not in ctx.owned:
        return None

    def in_place(features):
        return _positive_part(xp, features, features if isinstance(features, np.ndarray) else None)

    return in_place


@_derivative("ReluGrad", "features", REAL_NUMBERS)
def relu_grad(xp, gradients, features):
    check_same_shape("ReluGrad", gradients, features)
    return gradients * (features > 0)


relu_grad.computes(("fmax", "y", 0.0), ("sign", 0), ("multiply", "x", 1), exact=True)


@relu_grad.on_gpu
def _(gpu, gradients, features):
    if gradients.shape != features.shape or not supports(gradients.dtype, REALS):
        return relu_grad.kernel(gpu.xp, gradients, features)
    return relu_gradient(gpu.xp, gradients, features)


@relu_grad.gradient
def _(op, grad):
    x = op.inputs[1]
    return raw.ReluGrad(grad, x), _zero_gradient(x)


@public
def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """Returns max(features, 0), elementwise.

    Args:
      features: a real tensor.

    Returns:
      A tensor of the same shape and dtype.
    """
    return raw.Relu(features, name=name)


@_activation("Relu6", REAL_NUMBERS, gradient=lambda op, grad: raw.Relu6Grad(grad, op.outputs[0]))
def relu6_op(xp, features):
    scalar = features.dtype.type
    if features.dtype.kind not in _DTYPE_LIMITS:
        return xp.minimum(xp.maximum(features, scalar(0)), scalar(6))
    return features.clip(scalar(0), scalar(6))


relu6_op.computes(("maximum", "x", 0.0), ("minimum", 0, 6.0))


@_derivative("Relu6Grad", "features", REAL_NUMBERS)
def relu6_grad(xp, gradients, features):
    check_same_shape("Relu6Grad", gradients, features)
    return gradients * ((features > 0) & (features < 6))


@relu6_grad.gradient
def _(op, grad):
    x = op.inputs[1]
    return raw.Relu6Grad(grad, x), _zero_gradient(x)


@public
def relu6(features: TensorLike, name: str | None = None) -> Tensor:
    """Returns min(max(features, 0), 6), elementwise.

    Args:
      features: a real tensor.
    """
    with name_scope(name, "Relu6", [features]) as name:
        features = ops.convert_to_tensor(features, name="features")
        return raw.Relu6(features, name=name)


_LEAKY: dict[str, Any] = {"alpha": 0.20000000298023224}  # 0.2 as a float32
_LEAKY_TYPES = Attr("type", dtypes.float32, allowed=HALF_TO_DOUBLE)


def _slope(alpha: float, x: Any) -> Any:
    """Returns the attr alpha in the dtype of `x`."""
    return x.dtype.type(_float32(alpha))


def _float32(alpha: float) -> float:
    return float(np.float32(alpha))


@_activation(
    "LeakyRelu",
    _LEAKY_TYPES,
    gradient=lambda op, grad: raw.LeakyReluGrad(grad, op.inputs[0], alpha=op.attrs["alpha"]),
    **_LEAKY,
)
def leaky_relu_op(xp, features, *, alpha):
    leaked_values = features * _slope(alpha, features)
    return (xp.maximum if alpha <= 1 else xp.minimum)(features, leaked_values)


leaky_relu_op.computes(
    native=lambda attrs: (
        ("multiply", "x", _float32(attrs["alpha"])),
        ("maximum" if attrs["alpha"] <= 1 else "minimum", "x", 0),
    )
)


@_derivative("LeakyReluGrad", "features", _LEAKY_TYPES, **_LEAKY)
def leaky_relu_grad(xp, gradients, features, *, alpha):
    check_same_shape("LeakyReluGrad", gradients, features)
    positive = features > 0
    return gradients * (~positive * _slope(alpha, features) + positive)


leaky_relu_grad.computes(
    native=lambda attrs: (
        ("multiply", "x", _float32(attrs["alpha"])),
        ("greater", "y", 0.0),
        ("where", 1, "x", 0),
    )
)


@leaky_relu_grad.gradient
def _(op, grad):
    x = op.inputs[1]
    return raw.LeakyReluGrad(grad, x, alpha=op.attrs["alpha"]), _zero_gradient(x)


@public
def leaky_relu(features: TensorLike, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """Returns `features` where positive, else `alpha * features`.

    Args:
      features: a real tensor; integers are cast to float32.
      alpha: the slope for negative inputs, a number.
    """
    with name_scope(name, "LeakyRelu", [features, alpha]) as name:
        features = ops.convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = ops.cast(features, dtypes.float32)
        if isinstance(alpha, np.ndarray):
            alpha = alpha.item()
        return raw.LeakyRelu(features, alpha=alpha, name=name)


def _expm1_below_zero(xp: Any, features: Any) -> Any:
    """Returns exp(x) - 1 below zero and 0 above; bfloat16 results are rounded once."""
    negative_part = _negative_part(xp, features)
    if features.dtype.kind == "V":
        return xp.expm1(negative_part)
    negative_part = _exp(xp, negative_part)
    negative_part -= negative_part.dtype.type(1)
    return negative_part


@_activation("Elu", gradient=lambda op, grad: raw.EluGrad(grad, op.outputs[0]))
def elu_op(xp, features):
    negative_part = _expm1_below_zero(xp, features)
    negative_part += _positive_part(xp, features)
    return negative_part


elu_op.computes(
    *(("minimum", "x", 0.0), ("expm1", 0), ("maximum", "x", 0.0), ("add", 1, 2)),
    native=(
        ("minimum", "x", 0.0),
        ("exp", 0),
        ("subtract", 1, 1.0),
        ("maximum", "x", 0.0),
        ("add", 2, 3),
    ),
)


@_derivative("EluGrad", "outputs")
def elu_grad(xp, gradients, outputs):
    check_same_shape("EluGrad", gradients, outputs)
    scalar = outputs.dtype.type
    return (xp.fmin(outputs, scalar(0)) + scalar(1)) * gradients


elu_grad.computes(("fmin", "y", 0.0), ("add", 0, 1.0), ("multiply", 1, "x"), exact=True)


@elu_grad.gradient
def _(op, grad):
    elu_x = op.inputs[1]
    return (
        raw.EluGrad(grad, elu_x),
        ops.where(elu_x < 0, grad * op.inputs[0], ops.zeros_like(elu_x)),
    )


@public
def elu(features: TensorLike, name: str | None = None) -> Tensor:
    """Returns exp(features) - 1 where negative, else `features`.

    Args:
      features: a float tensor.

    Source: D.-A. Clevert et al., "Fast and accurate deep network learning by exponential linear
    units", 2015.
    """
    return raw.Elu(features, name=name)


_SCALE = 1.0507009873554804934193349852946
_SCALE_ALPHA = 1.7580993408473768599402175208123


@_activation("Selu", gradient=lambda op, grad: raw.SeluGrad(grad, op.outputs[0]))
def selu_op(xp, features):
    scalar = features.dtype.type
    negative_part = _expm1_below_zero(xp, features)
    negative_part *= scalar(_SCALE_ALPHA)
    negative_part += _positive_part(xp, features) * scalar(_SCALE)
    return negative_part


selu_op.computes(
    native=(
        *(("minimum", "x", 0.0), ("exp", 0), ("subtract", 1, 1.0), ("multiply", 2, _SCALE_ALPHA)),
        *(("maximum", "x", 0.0), ("multiply", 4, _SCALE), ("add", 3, 5)),
    ),
)


@_derivative("SeluGrad", "outputs")
def selu_grad(xp, gradients, outputs):
    check_same_shape("SeluGrad", gradients, outputs)
    scalar = outputs.dtype.type
    is_negative = outputs < 0
    slope = (xp.fmin(outputs, scalar(0)) + scalar(_SCALE_ALPHA)) * is_negative + scalar(
        _SCALE
    ) * ~is_negative
    return gradients * slope


selu_grad.computes(
    native=(
        *(("add", "y", _SCALE_ALPHA), ("less", "y", 0.0), ("where", 1, 0, _SCALE)),
        ("multiply", "x", 2),
    )
)


@selu_grad.gradient
def _(op, grad):
    selu_x = op.inputs[1]
    return (
        raw.SeluGrad(grad, selu_x),
        ops.where(selu_x < 0.0, grad * op.inputs[0], ops.zeros_like(selu_x)),
    )


@public
def selu(features: TensorLike, name: str | None = None) -> Tensor:
    """Scaled `elu`, with scales that preserve mean 0 and variance 1 of layer outputs.

    Args:
      features: a float tensor.

    Source: G. Klambauer et al., "Self-normalizing neural networks", 2017.
    """
    return raw.Selu(features, name=name)


@lru_cache
def _softplus_limit(dtype: np.dtype) -> Any:
    """Returns the magnitude of x beyond which a term of exp(x) + 1 is negligible."""
    # Eigen's epsilon for half precision is smaller than numpy's.
    epsilon = 2.0**-13 if dtype == np.float16 else float(np.finfo(dtype).eps)
    return -(dtype.type(np.log(epsilon)) + dtype.type(2))


@_activation("Softplus")
def softplus_op(xp, features):
    """Returns log(exp(x) + 1), or x or exp(x) itself where the other term is negligible."""
    scalar = features.dtype.type
    if features.dtype.kind == "V":  # bfloat16, whose epsilon Eigen does not know
        return xp.log(xp.exp(features) + scalar(1))
    limit = _softplus_limit(features.dtype)
    exponential = xp.exp(xp.minimum(features, limit))
    tiny = features < -limit
    value = xp.log(exponential + scalar(1)) * ~tiny + exponential * tiny
    return xp.maximum(value, features)


@softplus_op.gradient
def _(op, grad):
    return grad * ops.sigmoid(op.inputs[0])


softplus_op.computes(("logaddexp", "x", 0.0), native=(("softplus", "x"),))


@_derivative("SoftplusGrad", "features")
def softplus_grad(xp, gradients, features):
    check_same_shape("SoftplusGrad", gradients, features)
    return gradients / (xp.exp(-features) + features.dtype.type(1))


softplus_grad.computes(("negative", "y"), ("exp", 0), ("add", 1, 1.0), ("divide", "x", 2))


@softplus_grad.gradient
def _(op, grad):
    dy, x = op.inputs
    with control_dependencies([grad]):
        ddy = raw.SoftplusGrad(grad, x)
        d2x = grad * dy / (ops.exp(-x) + 2.0 + ops.exp(x))
        return ddy, d2x


@public
def softplus(features: TensorLike, name: str | None = None) -> Tensor:
    """Returns log(exp(features) + 1), elementwise.

    Args:
      features: a float tensor.
    """
    return raw.Softplus(features, name=name)


@_activation("Softsign", gradient=lambda op, grad: raw.SoftsignGrad(grad, op.inputs[0]))
def softsign_op(xp, features):
    return features / (xp.abs(features) + features.dtype.type(1))


softsign_op.computes(native=(("softsign", "x"),))


@_derivative("SoftsignGrad", "features")
def softsign_grad(xp, gradients, features):
    check_same_shape("SoftsignGrad", gradients, features)
    return gradients / xp.square(xp.abs(features) + features.dtype.type(1))


softsign_grad.computes(native=(("softsign_grad", "x", "y"),))


@public
def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """Returns features / (|features| + 1), elementwise.

    Args:
      features: a float tensor.
    """
    return raw.Softsign(features, name=name)


@public
def crelu(features: TensorLike, name: str | None = None, axis: int = -1) -> Tensor:
    """Concatenates relu(features) and relu(-features) along `axis`, which doubles its size.

    Args:
      features: a real tensor.
      axis: the axis to concatenate along.

    Source: W. Shang et al., "Understanding and improving convolutional neural networks via
    concatenated rectified linear units", 2016.
    """
    with name_scope(name, "CRelu", [features]) as name:
        features = ops.convert_to_tensor(features, name="features")
        joined = ops.concat([features, -features], axis, name=name)
        return raw.Relu(joined)
