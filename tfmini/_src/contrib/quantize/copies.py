"""Copies of products and sums with replaced inputs."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def copy_op(op: Operation, name: str, changes: dict[int, Tensor]) -> Operation:
    """Copies an operation, replacing inputs by index."""
    inputs: list[Any] = list(op.inputs)
    for index, tensor in changes.items():
        inputs[index] = tensor
    if op.type == "Mul":
        return ops.multiply(inputs[0], inputs[1], name=name).op
    if op.type in ("Add", "AddV2"):
        return ops.add(inputs[0], inputs[1], name=name).op
    if op.type == "MatMul":
        _check_ranks_and_channels(op, inputs, rank=2, last=1, first=0)
        values = {key: op.get_attr(key) for key in ("transpose_a", "transpose_b")}
        return ops.matmul(inputs[0], inputs[1], name=name, **values).op
    values = {key: op.get_attr(key) for key in ("strides", "padding")} if op.inputs else {}
    if op.type == "Conv2D":
        _check_ranks_and_channels(op, inputs, rank=4, last=3, first=2)
        values["use_cudnn_on_gpu"] = op.get_attr("use_cudnn_on_gpu")
        values["data_format"] = op.get_attr("data_format").decode()
        return ops.conv2d(inputs[0], inputs[1], name=name, **values).op
    if op.type == "DepthwiseConv2dNative":
        _check_ranks_and_channels(op, inputs, rank=4, last=3, first=2)
        return ops.depthwise_conv2d(inputs[0], inputs[1], name=name, **values).op
    raise TypeError(f"Unsupported operation type: {op.type}")


def _check_ranks_and_channels(
    op: Operation, inputs: list[Any], rank: int, last: int, first: int
) -> None:
    x, weights = (tensor.get_shape() for tensor in inputs)
    if x.ndims != rank or weights.ndims != rank or x[last] != weights[first]:
        raise ValueError(f"Incompatible shapes for op {op.name} inputs: {x} and {weights}")


def assert_shapes_match(name: str, value: Tensor, result: Tensor) -> None:
    """Raises ValueError if an operation changes the shape of its input."""
    shape_before, shape_after = value.get_shape(), result.get_shape()
    if not shape_before.is_compatible_with(shape_after):
        raise ValueError(
            f"{name} should not change tensor shape: input {shape_before}, output {shape_after}"
        )
