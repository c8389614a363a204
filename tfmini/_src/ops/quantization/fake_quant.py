"""Fake quantization, which rounds floats to the steps of a few bits for quantization-aware training.

The range is nudged so that 0 is representable. Gradients pass through inside the range; outside, to its bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    checked_ranks,
    merge,
    merge_dim,
    same_shape,
    with_rank,
    with_rank_at_least,
    with_rank_at_most,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import check_same_shape, first_number


def _nudge(xp: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple:
    """Returns the nudged ends of the range and the step size, as float32 with the shape of the ends."""
    low, high = xp.asarray(low, "f"), xp.asarray(high, "f")
    min_step, max_step = np.float32(narrow_range), np.float32((1 << num_bits) - 1)
    with np.errstate(all="ignore"):
        step = (high - low) / (max_step - min_step)
        zero = min_step - low / step
        rounded = xp.trunc(zero + np.float32(0.5))  # zero is positive unless clipped
    zero = xp.where(zero < min_step, min_step, xp.where(zero > max_step, max_step, rounded))
    return (min_step - zero) * step, (max_step - zero) * step, step


def _round(
    xp: Any, inputs: Any, low: Any, high: Any, num_bits: int, narrow_range: bool, *, divides: bool
) -> Any:
    """Rounds the inputs to steps; as in TensorFlow, a range in attributes is multiplied by the inverse of a step."""
    empty = (xp.asarray(low) == 0) & (xp.asarray(high) == 0)
    low, high, step = _nudge(xp, low, high, num_bits, narrow_range)
    with np.errstate(all="ignore"):
        clipped = xp.maximum(xp.minimum(inputs, high), low)
        above = clipped - low
        steps = above / step if divides else above * (np.float32(1) / step)
        rounded = xp.floor(steps + np.float32(0.5)) * step + low
        return xp.where(empty, np.float32(0), rounded).astype("f", copy=False)


def _split_gradient(
    xp: Any, gradients: Any, inputs: Any, low: Any, high: Any, num_bits: int, narrow_range: bool
) -> tuple:
    """Splits the gradients into the parts inside, below and above the range."""
    empty = (xp.asarray(low) == 0) & (xp.asarray(high) == 0)
    is_inside = _gradients_in_range(xp, gradients, inputs, low, high, num_bits, narrow_range)
    low, high, _ = _nudge(xp, low, high, num_bits, narrow_range)
    outer_masks = ((inputs < low) & ~empty, (inputs > high) & ~empty)
    return is_inside, *((gradients * mask).astype("f", copy=False) for mask in outer_masks)


def _gradients_in_range(
    xp: Any, gradients: Any, inputs: Any, low: Any, high: Any, num_bits: int, narrow_range: bool
) -> Any:
    """Returns the part of the gradients inside the range."""
    empty = (xp.asarray(low) == 0) & (xp.asarray(high) == 0)
    low, high, _ = _nudge(xp, low, high, num_bits, narrow_range)
    mask = xp.greater_equal(inputs, low)
    mask &= inputs <= high
    mask |= empty
    return (gradients * mask).astype("f", copy=False)


def _range_ends(low: Any, high: Any) -> tuple[Any, Any]:
    """Converts the ends of a range to numbers."""
    return first_number(low, "min"), first_number(high, "max")


def _check_attrs(attrs: dict[str, Any], on_gpu: bool) -> None:
    low, high = attrs.get("min"), attrs.get("max")
    if low is not None and low >= high:
        invalid(f"min has to be smaller than max, was: {low:g} >= {high:g}")
    if not 2 <= attrs["num_bits"] <= 16:
        invalid("num_bits must be between 2 and 16, inclusive")


@op(
    "FakeQuantWithMinMaxArgs",
    "inputs: float -> outputs: float",
    check_attrs=_check_attrs,
    infer=lambda op: op.inputs[0]._dims,
    min=-6.0,
    max=6.0,
    num_bits=8,
    narrow_range=False,
)
def fake_quant_with_min_max_args_op(xp, inputs, *, min, max, num_bits, narrow_range):
    return _round(xp, inputs, min, max, num_bits, narrow_range, divides=False)


def _gradient_attrs(op: Any, *names: str) -> dict:
    return {name: op.attrs[name] for name in (*names, "num_bits", "narrow_range")}


@fake_quant_with_min_max_args_op.gradient
def _(op, grad):
    return raw.FakeQuantWithMinMaxArgsGradient(
        grad, op.inputs[0], **_gradient_attrs(op, "min", "max")
    )


@op(
    "FakeQuantWithMinMaxArgsGradient",
    "gradients: float, inputs: float -> backprops: float",
    check_attrs=_check_attrs,
    infer=lambda op: op.inputs[0]._dims,
    min=-6.0,
    max=6.0,
    num_bits=8,
    narrow_range=False,
)
def fake_quant_with_min_max_args_gradient_op(
    xp, gradients, inputs, *, min, max, num_bits, narrow_range
):
    check_same_shape("FakeQuantWithMinMaxArgsGradient", gradients, inputs)
    return _gradients_in_range(xp, gradients, inputs, min, max, num_bits, narrow_range)


@op(
    "FakeQuantWithMinMaxVars",
    "inputs: float, min: float, max: float -> outputs: float",
    infer=checked_ranks(None, 0, 0, result=same_shape),
    check_attrs=_check_attrs,
    num_bits=8,
    narrow_range=False,
)
def fake_quant_with_min_max_vars_op(xp, inputs, low, high, *, num_bits, narrow_range):
    return _round(xp, inputs, *_range_ends(low, high), num_bits, narrow_range, divides=True)


@fake_quant_with_min_max_vars_op.gradient
def _(op, grad):
    return tuple(raw.FakeQuantWithMinMaxVarsGradient(grad, *op.inputs, **_gradient_attrs(op)))


@op(
    "FakeQuantWithMinMaxVarsGradient",
    "gradients: float, inputs: float, min: float, max: float -> "
    "backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float",
    check_attrs=_check_attrs,
    num_bits=8,
    narrow_range=False,
)
def fake_quant_with_min_max_vars_gradient_op(
    xp, gradients, inputs, low, high, *, num_bits, narrow_range
):
    if gradients.shape != inputs.shape:
        invalid("gradient and input must be the same size")
    range_ends = _range_ends(low, high)
    inner_grads, below, above = _split_gradient(
        xp, gradients, inputs, *range_ends, num_bits, narrow_range
    )
    return inner_grads, below.sum(dtype="f"), above.sum(dtype="f")


@fake_quant_with_min_max_vars_gradient_op.infer
def _(op) -> list[Dims]:
    dims = merge(op.inputs[0]._dims, op.inputs[1]._dims)
    merge(with_rank(op.inputs[2]._dims, 0), op.inputs[3]._dims)
    return [dims, (), ()]


def _check_channels(inputs: Any, low: Any, high: Any) -> None:
    channels = inputs.shape[-1] if inputs.ndim else 0
    for name, end in (("min", low), ("max", high)):
        size = len(end) if end.ndim else 1
        if size != channels:
            invalid(f"{name} has incorrect size, expected {channels} was {size}")


@op(
    "FakeQuantWithMinMaxVarsPerChannel",
    "inputs: float, min: float, max: float -> outputs: float",
    check_attrs=_check_attrs,
    num_bits=8,
    narrow_range=False,
)
def fake_quant_with_min_max_vars_per_channel_op(xp, inputs, low, high, *, num_bits, narrow_range):
    _check_channels(inputs, low, high)
    return _round(xp, inputs, low, high, num_bits, narrow_range, divides=True)


@fake_quant_with_min_max_vars_per_channel_op.infer
def _(op) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    count = None if dims is None else dims[-1]
    for end in op.inputs[1:]:
        count = merge_dim(count, with_rank(end._dims, 1)[0])
    return dims


@fake_quant_with_min_max_vars_per_channel_op.gradient
def _(op, grad):
    gradient = raw.FakeQuantWithMinMaxVarsPerChannelGradient
    return tuple(gradient(grad, *op.inputs, **_gradient_attrs(op)))


@op(
    "FakeQuantWithMinMaxVarsPerChannelGradient",
    "gradients: float, inputs: float, min: float, max: float -> "
    "backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float",
    check_attrs=_check_attrs,
    num_bits=8,
    narrow_range=False,
)
def fake_quant_with_min_max_vars_per_channel_gradient_op(
    xp, gradients, inputs, low, high, *, num_bits, narrow_range
):
    if gradients.shape != inputs.shape:
        invalid("gradient and input must be the same size")
    _check_channels(inputs, low, high)
    inner_grads, below, above = _split_gradient(
        xp, gradients, inputs, low, high, num_bits, narrow_range
    )
    axes = tuple(range(inputs.ndim - 1))
    return inner_grads, below.sum(axes, "f"), above.sum(axes, "f")


@fake_quant_with_min_max_vars_per_channel_gradient_op.infer
def _(op) -> list[Dims]:
    gradients, inputs, low, high = (t._dims for t in op.inputs)
    dims = with_rank_at_most(with_rank_at_least(gradients, 1), 4)
    dims = with_rank_at_least(merge(dims, inputs), 1)
    range_dims = merge(with_rank(low, 1), (None,) if dims is None else dims[-1:])
    range_dims = merge(high, range_dims)
    return [dims, range_dims, range_dims]


def fake_quant_with_min_max_args(
    inputs: TensorLike,
    min: float = -6,
    max: float = 6,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Rounds floats to `2 ** num_bits` steps from `min` to `max`.

    Args:
      inputs: float32 tensor.
      min, max: bounds of the range, which is adjusted slightly so that 0 is representable.
      num_bits: from 2 to 16.
      narrow_range: whether to omit the lowest step, so that there are as many steps below 0 as above.

    Returns:
      A float32 Tensor of the same shape.

    Raises:
      InvalidArgumentError: when run, unless `min` is less than `max` and `num_bits` is in range.
    """
    return raw.FakeQuantWithMinMaxArgs(
        inputs, min=min, max=max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


@arguments_of(fake_quant_with_min_max_args)
def fake_quant_with_min_max_args_gradient(gradients: Any, **kwargs: Any) -> Tensor:
    """Returns the gradient of `tf.fake_quant_with_min_max_args`: `gradients` where `inputs` are in range, else 0."""
    return raw.FakeQuantWithMinMaxArgsGradient(gradients, **kwargs)


@public
def fake_quant_with_min_max_vars(
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """`tf.fake_quant_with_min_max_args` with bounds that are differentiable float32 scalars."""
    return raw.FakeQuantWithMinMaxVars(
        inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


@arguments_of(fake_quant_with_min_max_vars)
def fake_quant_with_min_max_vars_gradient(gradients: Any, **kwargs: Any) -> Any:
    """Returns the gradients of `tf.fake_quant_with_min_max_vars` with respect to the inputs, `min` and `max`."""
    return raw.FakeQuantWithMinMaxVarsGradient(gradients, **kwargs)


@arguments_of(fake_quant_with_min_max_vars)
def fake_quant_with_min_max_vars_per_channel(**kwargs: Any) -> Tensor:
    """`tf.fake_quant_with_min_max_vars` with bounds per channel: [channels] for [..., channels] inputs."""
    return raw.FakeQuantWithMinMaxVarsPerChannel(**kwargs)


@arguments_of(fake_quant_with_min_max_vars)
def fake_quant_with_min_max_vars_per_channel_gradient(gradients: Any, **kwargs: Any) -> Any:
    """Returns the gradients of `tf.fake_quant_with_min_max_vars_per_channel` by the inputs, `min` and `max`."""
    return raw.FakeQuantWithMinMaxVarsPerChannelGradient(gradients, **kwargs)
