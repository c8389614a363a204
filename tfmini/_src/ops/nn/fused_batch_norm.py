"""FusedBatchNorm in three versions, with gradients: normalization by batch or fixed statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, InvalidArgumentError, invalid
from tfmini._src.devices.cuda import batch_norm
from tfmini._src.devices.host.onednn.batch_normalization import normalization
from tfmini._src.devices.numpy import channel_statistics as kernels
from tfmini._src.graph.opdef import Attr, OpDef, op, public, raw
from tfmini._src.graph.shape_inference import merge_dim, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.batch_norm_grad_grad import second_gradients
from tfmini._src.ops.nn.layouts import channels_last, channels_restored
from tfmini._src.ops.operands import shape_text

_ATTRS: dict[str, Any] = {
    "epsilon": 0.0001,
    "data_format": Attr("string", "NHWC", allowed=("NHWC", "NCHW")),
    "is_training": True,
}
_SINGLE_ATTRS: dict[str, Any] = {"T": (dtypes.float32,), **_ATTRS}
_MIXED_ATTRS: dict[str, Any] = {
    "T": (dtypes.float16, dtypes.bfloat16, dtypes.float32),
    "U": (dtypes.float32,),
    **_ATTRS,
}


def _shape_error(text: str, array: Any) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, text + shape_text(array.shape))


def _check_ranks(images: list, vectors: dict[str, Any], channels: int) -> None:
    for image in images:
        if image.ndim != 4:
            raise _shape_error("input must be 4-dimensional", image)
    for name, vector in vectors.items():
        if vector.ndim != 1:
            raise _shape_error(f"{name} must be 1-dimensional", vector)


def _check_sizes(vectors: dict[str, Any], channels: int) -> None:
    for name, vector in vectors.items():
        if len(vector) != channels:
            invalid(
                f"{name} must have one element for each of {channels} channels, got {len(vector)}"
            )


# Forward ---------------------------------------------------------------------------------------------


def _normalize(
    xp: Any, x: Any, scale: Any, offset: Any, mean: Any, variance: Any,
    attrs: dict, on_gpu: bool, rectifies: bool = False, residual: Any = None,
) -> tuple:  # fmt: skip
    """Returns y, the mean and variance of the batch, and the mean and variance for the gradient.

    Args:
      rectifies: whether to apply ReLU to y.
      residual: a residual to add to y before ReLU, on a GPU if `batch_norm.suits`.
    """
    values = {"estimated_mean": mean, "estimated_variance": variance}
    _check_ranks([x], {"scale": scale, "offset": offset, **values}, 0)
    training, first = attrs["is_training"], attrs["data_format"] == "NCHW"
    if training:
        for name, vector in values.items():
            if len(vector):
                raise _shape_error(f"{name} must be empty for training", vector)
    if first and not on_gpu:
        text = "The CPU implementation of FusedBatchNorm only supports NHWC tensor format for now."
        raise InternalError(None, None, text)
    channels = x.shape[1 if first else 3]
    _check_sizes({"scale": scale, "offset": offset, **({} if training else values)}, channels)
    statistics = () if training else (mean, variance)
    if on_gpu and batch_norm.is_supported(x, scale, offset, *statistics):
        return batch_norm.normalize(
            *(xp, x, scale, offset, attrs["epsilon"], statistics or None),
            channels_first=first,
            residual=residual,
            rectify=rectifies,
        )
    images = channels_last(xp, x, first)
    rows = images.reshape(-1, channels) if channels else images.reshape(0, 0)
    count = len(rows)
    fast = normalization(attrs["epsilon"], not training, images, scale, offset, *statistics)
    if fast is not None:
        if training:
            mean, variance = np.empty(channels, np.float32), np.empty(channels, np.float32)
        y = fast.forward(images, scale, offset, mean, variance)
        if rectifies:
            xp.maximum(y, 0, out=y)
    elif training:
        mean, variance = kernels.column_statistics(xp, rows)
    unbiased = variance * np.float32(count / max(count - 1, 1)) if training else variance
    if fast is None:
        factor = scale / xp.sqrt(variance + np.float32(attrs["epsilon"]))
        y = kernels.normalize_columns(xp, rows, mean, factor, offset, rectifies)
        y = y.reshape(images.shape)
    copies = [array.copy() for array in (mean, unbiased, mean, variance)]
    return (channels_restored(xp, y, first), *copies)


def rectify(outputs: int, attrs: dict, *inputs: Any) -> list:
    """Returns the results of the op on a CPU, for this number of outputs, with ReLU applied to the first."""
    x, scale, offset, mean, variance = inputs
    results = _normalize(np, x, scale, offset, mean, variance, attrs, False, rectifies=True)
    return [*results, *[np.zeros((), np.float32)] * (outputs - len(results))]


def compute_on_gpu(
    xp: Any, outputs: int, attrs: dict, inputs: tuple, residual: Any, rectify: bool
) -> list | None:
    """Returns the results of the op on a GPU, for this number of outputs; None if no kernel supports it.

    Adds `residual`, unless None, to the first result, and applies ReLU to it if `rectify` is set.
    """
    x, scale, offset, mean, variance = inputs
    if not batch_norm.is_supported(
        x, scale, offset, *(() if attrs["is_training"] else (mean, variance))
    ):
        return None
    if residual is not None and (residual.shape, residual.dtype) != (x.shape, x.dtype):
        return None
    results = _normalize(xp, x, scale, offset, mean, variance, attrs, True, rectify, residual)
    return [*results, *(xp.zeros((), np.float32) for _ in range(outputs - len(results)))]


def gradients_of_rectified(
    xp: Any, grad: Any, result: Any, inputs: tuple, attrs: dict
) -> tuple | None:
    """Returns the gradients on a GPU for the gradient of `result` after ReLU; None if no kernel supports it.

    inputs: the inputs of the gradient op, without `y_backprop`.
    """
    x, scale, mean, variance = inputs[:4]
    if not batch_norm.is_supported(x, scale, mean, variance) or grad.dtype != x.dtype:
        return None
    if (result.shape, result.dtype) != (grad.shape, grad.dtype):
        return None
    return _gradients(xp, grad, x, scale, mean, variance, attrs, True, result)


def _outputs_shape(op: Any) -> list:
    """Returns the shape of y followed by the shapes of channel vectors."""
    axis = 1 if op.attrs["data_format"] == "NCHW" else 3
    dims = list(with_rank(op.inputs[0]._dims, 4))
    for tensor in op.inputs[1 : 3 if op.attrs["is_training"] else 5]:
        dims[axis] = merge_dim(dims[axis], with_rank(tensor._dims, 1)[0])
    shapes: list = [tuple(dims), *[(dims[axis],)] * 4]
    return [*shapes, None] if len(op.outputs) == 6 else shapes


def _declare(op_type: str, statistics: str, has_extra_output: str, attrs: dict[str, Any]) -> OpDef:
    vectors = ", ".join(f"{name}: {statistics}" for name in ("scale", "offset", "mean", "variance"))
    results = ("batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2")
    outputs = ", ".join(f"{name}: {statistics}" for name in results)

    def extra_results(xp: Any) -> tuple:
        return (xp.zeros((), np.float32),) if has_extra_output else ()

    @op(
        op_type,
        f"x: T, {vectors} -> y: T, {outputs}{has_extra_output}",
        infer=_outputs_shape,
        host_or_cuda=True,
        **attrs,
    )
    def declared_op(xp, x, scale, offset, mean, variance, *, epsilon, data_format, is_training):
        attrs = {"epsilon": epsilon, "data_format": data_format, "is_training": is_training}
        return (*_normalize(xp, x, scale, offset, mean, variance, attrs, False), *extra_results(xp))

    @declared_op.on_gpu
    def _(gpu, x, scale, offset, mean, variance, *, epsilon, data_format, is_training):
        attrs = {"epsilon": epsilon, "data_format": data_format, "is_training": is_training}
        results = _normalize(gpu.xp, x, scale, offset, mean, variance, attrs, True)
        return (*results, *extra_results(gpu.xp))

    declared_op.gradient(
        _gradient_rule(op_type.replace("Norm", "NormGrad"), bool(has_extra_output))
    )
    return declared_op


# Gradients -------------------------------------------------------------------------------------------


def _gradient_rule(op_type: str, with_reserve: bool) -> Any:
    def rule(op: Any, *grads: Any) -> tuple:
        training, first = op.attrs["is_training"], op.attrs["data_format"] == "NCHW"
        x, grad = op.inputs[0], grads[0]
        if training:
            statistics, layout = op.outputs[3:5], op.attrs["data_format"]
        else:
            statistics, layout = op.inputs[3:5], "NHWC"
            if first:
                x = ops.transpose(x, [0, 2, 3, 1])
                grad = ops.transpose(grad, [0, 2, 3, 1])
        reserved = [op.outputs[5]] if with_reserve else []
        results = getattr(raw, op_type)(
            *(grad, x, op.inputs[1], *statistics, *reserved),
            epsilon=op.attrs["epsilon"],
            data_format=layout,
            is_training=training,
        )
        if training:
            return tuple(results)
        x_grad = ops.transpose(results[0], [0, 3, 1, 2]) if first else results[0]
        return x_grad, results[1], results[2], None, None

    return rule


def _gradients(
    xp: Any, grad: Any, x: Any, scale: Any, mean: Any, variance: Any, attrs: dict, on_gpu: bool,
    rectified: Any = None,
) -> tuple:  # fmt: skip
    """Returns the gradients of x, scale and offset, and two unused outputs.

    rectified: y after ReLU, if `grad` is its gradient, on a GPU if `batch_norm.suits`.
    """
    vectors = {"scale": scale, "saved mean": mean, "saved variance": variance}
    _check_ranks([grad, x], vectors, 0)
    training, first = attrs["is_training"], attrs["data_format"] == "NCHW"
    if first and not on_gpu:
        text = (
            "The CPU implementation of FusedBatchNormGrad only supports NHWC tensor format for now."
        )
        raise InternalError(None, None, text)
    if grad.shape != x.shape:
        invalid(
            f"x and y_backprop must have same shape, but x has shape {shape_text(x.shape)} and "
            f"y_backprop has shape {shape_text(grad.shape)}"
        )
    channels = x.shape[1 if first else 3]
    _check_sizes(vectors, channels)
    empty_results = [xp.zeros(0 if training else channels, np.float32) for _ in range(2)]
    if not x.size:
        return (
            xp.zeros_like(x),
            *(xp.zeros(channels, np.float32) for _ in range(2)),
            *empty_results,
        )
    if on_gpu and grad.dtype == x.dtype and batch_norm.is_supported(x, scale, mean, variance):
        results = batch_norm.gradients(
            *(xp, grad, x, scale, mean, variance, attrs["epsilon"], training),
            channels_first=first,
            rectified=rectified,
        )
        return (*results, *empty_results)
    images = channels_last(xp, x, first)
    if not first:
        arrays = (grad, scale, mean, variance)
        fast = normalization(attrs["epsilon"], not training, images, *arrays)
        if fast is not None:
            return (*fast.backward(images, grad, scale, mean, variance), *empty_results)
    shape = (-1, channels) if channels else (0, 0)
    rows, grads = images.reshape(shape), channels_last(xp, grad, first).reshape(shape)
    inverse = np.float32(1) / xp.sqrt(variance + np.float32(attrs["epsilon"]))
    offset_grad, with_x = kernels.gradient_sums(xp, grads, rows, mean)
    factor = scale * inverse
    if training:
        share = np.float32(1 / max(len(rows), 1))
        x_grad = kernels.combine_columns(
            xp,
            grads,
            rows,
            mean,
            factor,
            -factor * inverse * inverse * with_x * share,
            -factor * offset_grad * share,
        )
    else:
        x_grad = kernels.scale_columns(xp, grads, factor)
    x_grad = channels_restored(xp, x_grad.reshape(images.shape), first)
    return x_grad, with_x * inverse, offset_grad, *empty_results


def _gradient_shapes(op: Any) -> list:
    axis = 1 if op.attrs["data_format"] == "NCHW" else 3
    dims = list(with_rank(op.inputs[0]._dims, 4))
    x = with_rank(op.inputs[1]._dims, 4)
    dims[axis] = merge_dim(dims[axis], x[axis])
    for tensor in op.inputs[2:5]:
        dims[axis] = merge_dim(dims[axis], with_rank(tensor._dims, 1)[0])
    vector = (dims[axis],)
    empty_shape = (0,) if op.attrs["is_training"] else vector
    return [tuple(dims), vector, vector, empty_shape, empty_shape]


def _declare_gradient(op_type: str, inputs: str, outputs: str, attrs: dict[str, Any]) -> OpDef:
    with_reserve = op_type.endswith("V3")

    @op(
        op_type,
        f"y_backprop: T, x: T, {inputs} -> x_backprop: T, {outputs}",
        host_or_cuda=True,
        **attrs,
    )
    def declared_op(
        xp, grad, x, scale, mean, variance, *reserved, epsilon, data_format, is_training
    ):
        attrs = {"epsilon": epsilon, "data_format": data_format, "is_training": is_training}
        return _gradients(xp, grad, x, scale, mean, variance, attrs, False)

    @declared_op.on_gpu
    def _(gpu, grad, x, scale, mean, variance, *reserved, epsilon, data_format, is_training):
        attrs = {"epsilon": epsilon, "data_format": data_format, "is_training": is_training}
        return _gradients(gpu.xp, grad, x, scale, mean, variance, attrs, True)

    @declared_op.gradient
    def _(op, *grads):
        return (*second_gradients(op, *grads[:3]), *[None] * (3 if with_reserve else 2))

    declared_op.infer(_gradient_shapes)
    return declared_op


fused_batch_norm_op = _declare("FusedBatchNorm", "T", "", _SINGLE_ATTRS)
fused_batch_norm_v2_op = _declare("FusedBatchNormV2", "U", "", _MIXED_ATTRS)
fused_batch_norm_v3_op = _declare("FusedBatchNormV3", "U", ", reserve_space_3: U", _MIXED_ATTRS)
fused_batch_norm_grad_op = _declare_gradient(
    "FusedBatchNormGrad",
    "scale: T, reserve_space_1: T, reserve_space_2: T",
    "scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T",
    _SINGLE_ATTRS,
)
fused_batch_norm_grad_v2_op = _declare_gradient(
    "FusedBatchNormGradV2",
    "scale: float, reserve_space_1: U, reserve_space_2: U",
    "scale_backprop: U, offset_backprop: U, reserve_space_3: U, reserve_space_4: U",
    _MIXED_ATTRS,
)
fused_batch_norm_grad_v3_op = _declare_gradient(
    "FusedBatchNormGradV3",
    "scale: float, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U",
    "scale_backprop: U, offset_backprop: U, reserve_space_4: U, reserve_space_5: U",
    _MIXED_ATTRS,
)


# The function ----------------------------------------------------------------------------------------


@public
def fused_batch_norm(
    x: TensorLike,
    scale: TensorLike,
    offset: TensorLike,
    mean: TensorLike | None = None,
    variance: TensorLike | None = None,
    epsilon: float = 0.001,
    data_format: str | None = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Returns (x - mean) / sqrt(variance + epsilon) * scale + offset per channel, computed in a single op.

    Args:
      x: [batch, rows, columns, channels], float32 (or float16, bfloat16); on a GPU also [batch, channels, rows,
        columns], with "NCHW".
      scale, offset: [channels], float32.
      mean, variance: [channels], float32, the statistics to normalize by if not training.
      epsilon: added to the variance; increased to 1.001e-5 if smaller.
      data_format: "NHWC" or "NCHW".
      is_training: whether to normalize by the mean and variance of the batch.
      name: the name of the node, "FusedBatchNormV3" by default.

    Returns:
      (a tensor of the shape and dtype of `x`, the mean of `x`, its variance with n - 1 instead of n); the latter two,
      float32, are only meaningful in training.

    Raises:
      ValueError: if `mean` or `variance` is passed in training, or sizes do not match.

    Example:
      y, mean, variance = tf.nn.fused_batch_norm(images, tf.ones([3]), tf.zeros([3]))
    """
    x = ops.convert_to_tensor(x, name="input")
    scale = ops.convert_to_tensor(scale, name="scale")
    offset = ops.convert_to_tensor(offset, name="offset")
    if is_training and not (mean is None and variance is None):
        raise ValueError("Both 'mean' and 'variance' must be None if is_training is True.")
    mean = ops.constant([]) if mean is None else mean
    variance = ops.constant([]) if variance is None else variance
    y, batch_mean, batch_variance, *_ = raw.FusedBatchNormV3(
        *(x, scale, offset, mean, variance),
        epsilon=max(epsilon, 1.001e-5),
        data_format=data_format,
        is_training=is_training,
        name=name,
    )
    return y, batch_mean, batch_variance
