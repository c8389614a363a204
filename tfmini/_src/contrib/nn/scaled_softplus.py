"""Softplus with variable sharpness, which interpolates between ReLU and a linear function."""

from __future__ import annotations

from tfmini._src.functions.defun import Defun
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw

_EPSILON = 1e-8  # avoids log(0) in t * log(t)


def _sum_to_shape(grad: Tensor, value: Tensor) -> Tensor:
    """Sums a gradient over the axes along which the value was broadcast."""
    shape = ops.shape(value)
    axes, _ = raw.BroadcastGradientArgs(shape, ops.shape(grad))
    return ops.reshape(ops.reduce_sum(grad, axes), shape)


def _scaled_softplus_gradient(op: Operation, grad: Tensor) -> list[Tensor | None]:
    """Returns the gradient computed from the result: exp(-y / alpha) is 1 - dy/dx."""
    result, x, alpha, *bound = op.inputs
    with control_dependencies([grad]):
        result = ops.identity(result)
    bound_grads = []
    if bound:
        is_below = ops.cast(result < bound[0], grad.dtype)
        bound_grads = [_sum_to_shape(grad * (1.0 - is_below), bound[0])]
        grad *= is_below
    result /= alpha
    exponential = ops.exp(-result)
    x_slope = 1.0 - exponential
    alpha_slope = result * exponential - x_slope * ops.log(x_slope + _EPSILON)
    return [
        None,
        _sum_to_shape(grad * x_slope, x),
        _sum_to_shape(grad * alpha_slope, alpha),
        *bound_grads,
    ]


def scaled_softplus(
    x: TensorLike, alpha: TensorLike, clip: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Returns min(alpha * log(1 + exp(x / alpha)), clip), close to ReLU for small alpha; differentiable once.

    Args:
      x: floats.
      alpha: softness, positive floats broadcastable to `x`.
      clip: upper bound of the result, broadcastable floats; None for no bound.

    Returns:
      Tensor of the broadcast shape.

    Example:
      tf.contrib.nn.scaled_softplus([-1.0, 0.0, 1.0], 0.1)
    """
    values = [x, alpha] if clip is None else [x, alpha, clip]
    with name_scope(name, "scaled_softplus", values):
        x = ops.convert_to_tensor(x, name="x")
        dtype = x.dtype
        alpha = ops.convert_to_tensor(alpha, dtype=dtype, name="alpha")
        result = alpha * ops.softplus(x / alpha)
        bound = []
        if clip is not None:
            bound = [ops.convert_to_tensor(clip, dtype=dtype, name="clip")]
            result = ops.minimum(result, bound[0])

        suffix = "_clip" if bound else ""
        helper = Defun(
            *[dtype] * (3 + len(bound)),
            func_name=f"ScaledSoftplusHelper{suffix}_{dtype.name}",
            shape_func=lambda op: [op.inputs[0].shape],
            python_grad_func=_scaled_softplus_gradient,
        )
        return helper(_forward_clipped if bound else _forward)(result, x, alpha, *bound)


def _forward(y: Tensor, x: Tensor, alpha: Tensor) -> Tensor:
    return y


def _forward_clipped(y: Tensor, x: Tensor, alpha: Tensor, clip: Tensor) -> Tensor:
    return y
