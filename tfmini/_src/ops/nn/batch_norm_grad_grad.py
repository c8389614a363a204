"""Second-order gradients of batch normalization, composed of elementary ops."""

from __future__ import annotations

from typing import Any

from tfmini._src.autodiff.tape import tape_gradients
from tfmini._src.base import dtypes
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.ops import ops


def second_gradients(op: Any, x_grad: Any, scale_grad: Any, offset_grad: Any) -> list:
    """Returns the gradients of y_backprop, x and scale from gradients of the three FusedBatchNormGrad results."""
    first = get_default_graph()._last_id
    grad, x, scale = op.inputs[:3]
    compose = _training_gradients if op.attrs["is_training"] else _inference_gradients
    wide_grad, wide_x = _widen_half(grad, x)
    results = compose(op, wide_grad, wide_x, scale)
    results[0] = ops.cast(results[0], x.dtype)
    # The order in which TensorFlow's tape visits ops without consumers.
    in_order = (
        op.attrs["is_training"]
        and op.attrs["data_format"] == "NHWC"
        and x.dtype.base_dtype == dtypes.float32
    )
    order = [0, 1, 2] if in_order else [0, 2, 1]
    output_grads = [x_grad, scale_grad, offset_grad]
    return tape_gradients(
        [results[n] for n in order], [grad, x, scale], [output_grads[n] for n in order], first
    )


def _widen_half(grad: Any, x: Any) -> tuple:
    """Widens both operands to float32 if they are half precision."""
    if x.dtype.base_dtype != dtypes.float16:
        return grad, x
    x = ops.cast(x, dtypes.float32)
    return ops.cast(grad, dtypes.float32), x


def _training_gradients(op: Any, grad: Any, x: Any, scale: Any) -> list:
    first, epsilon = op.attrs["data_format"] == "NCHW", op.attrs["epsilon"]
    axes = [0, 2, 3] if first else [0, 1, 2]
    if first:
        scale = ops.reshape(scale, [1, ops.size(scale), 1, 1])
    mean_grad = ops.reduce_mean(grad, axes, keepdims=first)
    mean = ops.reduce_mean(x, axes, keepdims=first)
    squares = ops.squared_difference(x, ops.stop_gradient(mean))
    variance = ops.reduce_mean(squares, axes, keepdims=first)
    grad_offset = grad - mean_grad
    centered = x - mean
    products = ops.reduce_mean(grad * centered, axis=axes, keepdims=first)
    factor = scale * ops.rsqrt(variance + epsilon)
    x_grad = factor * (grad_offset - ops.reciprocal(variance + epsilon) * products * centered)
    inverse = ops.rsqrt(variance + epsilon)
    scale_grad = inverse * ops.reduce_sum(grad * centered, axis=axes, keepdims=first)
    if first:
        scale_grad = ops.squeeze(scale_grad)
    return [x_grad, scale_grad, ops.reduce_sum(grad, axis=axes)]


def _inference_gradients(op: Any, grad: Any, x: Any, scale: Any) -> list:
    mean, variance = op.inputs[3:5]
    axes = [0, 1, 2]
    if op.attrs["data_format"] == "NCHW":
        axes = [0, 2, 3]
        shape = [1, ops.size(mean), 1, 1]
        mean, variance, scale = (ops.reshape(v, shape) for v in (mean, variance, scale))
    offset_grad = ops.reduce_sum(grad, axis=axes)
    inverse = ops.rsqrt(variance + op.attrs["epsilon"])
    scale_grad = ops.reduce_sum(grad * (x - mean) * inverse, axis=axes)
    x_grad = grad * scale * inverse
    return [x_grad, scale_grad, offset_grad]
