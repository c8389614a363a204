"""Kernels, strides and paddings of the nodes of a GraphDef."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.tensor_proto import MakeNdarray

# Pointwise ops.
_POINTWISE_OPS = (
    *("Add", "AddV2", "BiasAdd", "Cast", "Ceil", "ConcatV2", "Const", "Floor", "FusedBatchNorm"),
    *("Identity", "Log", "Mul", "Pow", "RealDiv", "Relu", "Relu6", "Round", "Rsqrt", "Softplus"),
    *("Sub", "VariableV2", "LRN", "GreaterEqual"),
)


@dataclass(frozen=True)
class Axis:
    """Kernel, stride and padding of a node along one axis of an image; None if unknown.

    `padding` is the padding before the first pixel, `total_padding` the padding on both sides.
    """

    kernel: Any = 1
    stride: Any = 1
    padding: Any = 0
    total_padding: Any = 0


def layer_axes(
    node: Any, nodes: dict[str, Any], resolution: Any = None, force: bool = False
) -> tuple[Axis, Axis]:
    """Returns the kernel, stride and padding of a node along x and along y.

    Args:
      node: a NodeDef.
      nodes: all nodes of the graph by name.
      resolution: (height, width) of the input; None if unknown.
      force: whether to treat nodes of unknown types as layers with unknown parameters, instead of raising an error.
    """
    if node.op in ("Conv2D", "DepthwiseConv2dNative"):
        return _height_and_width_windows(
            _strides(node, nodes), _conv_kernel(node, nodes), node, resolution
        )
    if node.op in ("MaxPool", "MaxPoolV2", "AvgPool"):
        return _height_and_width_windows(
            _strides(node, nodes), _pool_kernel(node, nodes), node, resolution
        )
    if node.op == "Pad":
        return _pads(node, nodes)
    if node.op in _POINTWISE_OPS:
        return Axis(), Axis()
    if force:
        unknown = Axis(None, None, None, None)
        return unknown, unknown
    raise ValueError(f"Unknown layer for operation '{node.name}': {node.op}")


def _height_and_width_windows(
    strides: tuple[int, int], kernels: tuple[int, int], node: Any, resolution: Any
) -> tuple[Axis, Axis]:
    height, width = (None, None) if resolution is None else (resolution[0], resolution[1])
    return (
        _window(kernels[0], strides[0], node, width),
        _window(kernels[1], strides[1], node, height),
    )


def _window(kernel: int, stride: int, node: Any, size: int | None) -> Axis:
    """Returns the parameters of a window along one axis, with the node's padding."""
    padding = node.attr["padding"].s
    if padding == b"VALID":
        return Axis(kernel, stride)
    if padding != b"SAME":
        raise ValueError(f"Invalid padding operation {padding}")
    if size is not None:
        total = int(max(float(kernel - (size % stride or stride)), 0.0))
        return Axis(kernel, stride, total // 2, total)
    if kernel == 1:
        return Axis(kernel, stride)
    if stride == 1:
        return Axis(kernel, stride, (kernel - 1) // 2, kernel - 1)
    if stride == 2 and kernel % 2 == 0:
        return Axis(kernel, stride, math.floor((float(kernel) - 1) / 2), None)
    logs.warning(
        "Padding depends on input size, which means that the effective padding may be different "
        "depending on the input image dimensionality. In this case, alignment check will be "
        "skipped. If you know the input resolution, please set it."
    )
    return Axis(kernel, stride, None, None)


def _constant_input(nodes: dict[str, Any], name: str, suffix: str, title: str) -> Any:
    if not name.endswith(suffix):
        raise ValueError(f"{title} name does not end with '{suffix}'")
    return MakeNdarray(nodes[name].attr["value"].tensor)


def _strides(node: Any, nodes: dict[str, Any]) -> tuple[int, int]:
    if node.op == "MaxPoolV2":
        sizes = _constant_input(nodes, node.input[2], "/strides", "Strides")
    else:
        sizes = node.attr["strides"].list.i
    return sizes[2], sizes[1]


def _conv_kernel(node: Any, nodes: dict[str, Any]) -> tuple[int, int]:
    """Returns the kernel sizes along x and y, from the shape of the weights."""
    read = node.input[1]
    if not read.endswith("/read"):
        raise ValueError("Weight layer's name input to conv layer does not end with '/read'")
    name = read[: -len("/read")]
    weights = nodes[name]
    if weights.op == "VariableV2":
        dims = weights.attr["shape"].shape.dim
    elif weights.op == "Const":
        dims = weights.attr["value"].tensor.tensor_shape.dim
    else:
        raise ValueError(f"Weight layer {name} is not of type VariableV2 or Const: {weights.op}")
    if len(dims) != 4:
        raise ValueError(f"Weight layer {name} does not have rank 4. Instead, it has: {len(dims)}")
    return dims[1].size, dims[0].size


def _pool_kernel(node: Any, nodes: dict[str, Any]) -> tuple[int, int]:
    if node.op == "MaxPoolV2":
        sizes = _constant_input(nodes, node.input[1], "/ksize", "Kernel size")
    else:
        sizes = node.attr["ksize"].list.i
    for dim, which in ((0, "first"), (3, "last")):
        if sizes[dim] != 1:
            raise ValueError(f"pool ksize for {which} dim is not 1")
    return sizes[2], sizes[1]


def _pads(node: Any, nodes: dict[str, Any]) -> tuple[Axis, Axis]:
    name = node.input[1]
    if not name.endswith("/paddings"):
        raise ValueError("Padding layer name does not end with '/paddings'")
    if nodes[name].op != "Const":
        raise ValueError("Padding op is not Const")
    sizes = MakeNdarray(nodes[name].attr["value"].tensor)
    for dim, which in ((0, "first"), (3, "last")):
        if sizes[dim].any():
            raise ValueError(f"padding is not zero for {which} tensor dim")
    x, y = (Axis(padding=s[0], total_padding=s[0] + s[1]) for s in (sizes[2], sizes[1]))
    return x, y
