"""Converters of biases and their gradients."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.functions.parallel_for.converters import converter, flatten, unflatten
from tfmini._src.ops import ops


def _is_channels_first(op: Any) -> bool:
    return op.attrs.get("data_format") in ("NCHW", b"NCHW")


@converter("BiasAdd", "BiasAddV1")
def _bias_add(op: Any) -> Any:
    tensor, bias = op.stacked_input(0), op.values[1]
    if not bias.is_stacked and not _is_channels_first(op.op):
        return op.copy_with(tensor, bias.tensor)
    if not bias.is_stacked:
        return unflatten(op.copy_with(flatten(tensor), bias.tensor)[0], op.length)
    rank = op.rank(0)
    channel = 1 if _is_channels_first(op.op) else rank - 1
    sizes = ops.shape(bias.tensor)
    ones_before, ones_after = (
        ops.ones([channel], dtypes.int32),
        ops.ones([rank - 1 - channel], dtypes.int32),
    )
    return tensor + ops.reshape(
        bias.tensor, ops.concat([sizes[:1], ones_before, sizes[1:], ones_after], 0)
    )


@converter("BiasAddGrad")
def _bias_add_grad(op: Any) -> Any:
    rank = op.rank(0)
    channel = 1 if _is_channels_first(op.op) else rank - 1
    axes = [axis + 1 for axis in range(rank) if axis != channel]
    return ops.reduce_sum(op.stacked_input(0), axes)
