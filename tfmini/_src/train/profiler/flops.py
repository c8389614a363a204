"""Counts the floating-point operations of nodes, for the op types that TensorFlow 1.15 counts."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from tfmini._src.train.profiler.op_statistics import OpStats, RegisterStatistics


def _static_dims(graph: Any, name: str) -> list[int]:
    """Returns the static shape of a NodeDef's input; raises ValueError if it is not fully defined."""
    node, _, index = name.partition(":")
    shape = graph.get_tensor_by_name(f"{node}:{index or 0}").get_shape()
    shape.assert_is_fully_defined()
    return shape.as_list()


def _register(types: str, count: Callable[[Any, Any], float]) -> None:
    def flops(graph: Any, node: Any) -> OpStats:
        return OpStats("flops", count(graph, node))

    for name in types.split():
        RegisterStatistics(name, "flops")(flops)


def _flops_per_input(times: int) -> Callable[[Any, Any], int]:
    return lambda graph, node: times * prod(_static_dims(graph, node.input[0]))


def _flops_per_output(times: int) -> Callable[[Any, Any], int]:
    return lambda graph, node: times * prod(_static_dims(graph, node.name))


def _reduction(graph: Any, node: Any) -> int:
    return prod(_static_dims(graph, node.input[0])) - prod(_static_dims(graph, node.name))


def _last_axis_flops(node: Any) -> None:
    if node.attr["data_format"].s != b"NHWC":
        raise ValueError("Only NHWC format is supported in flops computations")


def _window(node: Any) -> int:
    return prod(node.attr["ksize"].list.i)


def _strides(node: Any) -> int:
    strides = node.attr["strides"].list.i
    return strides[1] * strides[2]


def _pool(graph: Any, node: Any) -> int:
    _last_axis_flops(node)
    return _window(node) * prod(_static_dims(graph, node.name))


def _average_pool_gradient(graph: Any, node: Any) -> int:
    _last_axis_flops(node)
    return 2 * _window(node) * prod(_static_dims(graph, node.input[1]))


def _max_pool_gradient(graph: Any, node: Any) -> int:
    _last_axis_flops(node)
    return (_window(node) + 1) * prod(_static_dims(graph, node.input[1]))


def _convolution_gradient(graph: Any, node: Any, image: str, kernel: str) -> float:
    _last_axis_flops(node)
    pixels, weights = _static_dims(graph, image), _static_dims(graph, kernel)
    return 2 * prod(pixels) * prod(weights) / (pixels[-1] * _strides(node))


def _matmul(graph: Any, node: Any) -> int:
    first = _static_dims(graph, node.input[0])
    inner = first[0] if node.attr["transpose_a"].b else first[1]
    return 2 * inner * prod(_static_dims(graph, node.name))


def _batch_matmul(graph: Any, node: Any) -> int:
    return 2 * _static_dims(graph, node.input[0])[-1] * prod(_static_dims(graph, node.name))


def _convolution(graph: Any, node: Any) -> int:
    """Returns the FLOPs of a 2-D or 3-D convolution: two per filter element and output element."""
    _static_dims(graph, node.input[0])
    return 2 * prod(_static_dims(graph, node.input[1])[:-1]) * prod(_static_dims(graph, node.name))


def _depthwise_flops(graph: Any, node: Any) -> int:
    """Returns the FLOPs of a depthwise convolution or a dilation."""
    _static_dims(graph, node.input[0])
    height, width = _static_dims(graph, node.input[1])[:2]
    return 2 * height * width * prod(_static_dims(graph, node.name))


def _add_n_flops(graph: Any, node: Any) -> int:
    return (len(node.input) - 1) * prod(_static_dims(graph, node.input[0])) if node.input else 0


_register("Reciprocal Square Log Neg AssignSub AssignAdd BiasAdd", _flops_per_input(1))
_register("Rsqrt", _flops_per_input(2))
_register("Softmax", _flops_per_input(5))
_register("L2Loss", lambda graph, node: 3 * prod(_static_dims(graph, node.input[0])) - 1)
_register("Add Sub Mul RealDiv Maximum Minimum Pow", _flops_per_output(1))
_register("GreaterEqual Greater LessEqual Less Equal NotEqual", _flops_per_output(1))
_register("SquaredDifference", _flops_per_output(2))
_register("RsqrtGrad", _flops_per_output(4))
_register("Sum ArgMax ArgMin BiasAddGrad", _reduction)
_register("Mean", _flops_per_input(1))
_register("AvgPool MaxPool", _pool)
_register("AvgPoolGrad", _average_pool_gradient)
_register("MaxPoolGrad", _max_pool_gradient)
_register(
    "Conv2DBackpropInput",
    lambda graph, node: _convolution_gradient(graph, node, node.name, node.input[1]),
)
_register(
    "Conv2DBackpropFilter",
    lambda graph, node: _convolution_gradient(graph, node, node.input[0], node.name),
)
_register("MatMul", _matmul)
_register("BatchMatMul", _batch_matmul)
_register("Conv2D Conv3D", _convolution)
_register("DepthwiseConv2dNative Dilation2D", _depthwise_flops)
_register("AddN", _add_n_flops)
