"""Folding of unfused batch normalization, as in `tf.contrib.layers.batch_norm(fused=False)`, into weights."""

from __future__ import annotations

import re
from typing import Any

from tfmini._src.contrib.quantize.batch_norm_correction import Corrections, Statistics, corrections
from tfmini._src.contrib.quantize.copies import assert_shapes_match, copy_op
from tfmini._src.contrib.quantize.reroute import SKIPPED_PREFIXES, Consumers, node_scope, reroute
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope

_NORM = re.compile("^(.*)BatchNorm/batchnorm")


def fold_plain_norms(graph: Graph, training: bool, freeze_delay: int | None) -> None:
    """Folds each unfused batch normalization of a product in a graph."""
    readers = Consumers(graph)
    for context in _contexts(graph):
        rsqrt_readers = readers.consumers(
            graph.get_operation_by_name(context + "BatchNorm/batchnorm_1/Rsqrt")
        )
        scaled = sum(op.type == "Mul" for op in rsqrt_readers) == 1
        shifted = graph.get_operation_by_name(context + "BatchNorm/batchnorm_1/add_1")
        if not shifted.outputs[0].consumers():
            continue
        folded = _fold_sum(graph, context, scaled, training, freeze_delay)
        reader = _activation(graph, context)
        if reader is None:
            outer = node_scope(context)
            reader = graph.get_operation_by_name((outer + "/" if outer else "") + "AddV2")
        if reroute(folded.outputs[0], shifted.outputs[0], [reader]) != 1:
            raise ValueError(f"Unexpected inputs to op: {reader.name}")


def _contexts(graph: Graph) -> list[str]:
    """Returns the distinct name prefixes of the batch normalizations in a graph."""
    prefixes = [match[1] for op in graph.get_operations() if (match := _NORM.search(op.name))]
    return list(
        dict.fromkeys(prefix for prefix in prefixes if not prefix.startswith(SKIPPED_PREFIXES))
    )


def _activation(graph: Graph, context: str) -> Operation | None:
    for name in ("Relu6", "Relu", "Identity"):
        try:
            return graph.get_operation_by_name(context + name)
        except KeyError:
            pass
    return None


def _find_tensor(graph: Graph, suffix: str, context: str) -> Tensor | None:
    """Returns the tensor with a name that ends with `suffix` and most scopes of the context; None if no name does."""
    scopes = set(context.split("/"))
    common = {
        op.name: len(set(op.name.split("/")) & scopes)
        for op in graph.get_operations()
        if op.name.endswith(suffix)
    }
    common = {name: count for name, count in common.items() if count or not context}
    if not common:
        return None
    return graph.get_tensor_by_name(max(common, key=lambda name: common[name]) + ":0")


def _statistics(graph: Graph, context: str, scaled: bool) -> Statistics:
    gamma, read = "BatchNorm/gamma", "read"
    if get_variable_scope().use_resource:
        gamma, read = gamma + "/Read/ReadVariableOp", "Read/ReadVariableOp"
    names = {
        "mean": "BatchNorm/moments/Squeeze",
        "variance": "BatchNorm/moments/Squeeze_1",
        "moving_mean": f"BatchNorm/moving_mean/{read}",
        "moving_variance": f"BatchNorm/moving_variance/{read}",
        "epsilon": "BatchNorm/batchnorm_1/add/y",
        "mean_decay": "BatchNorm/AssignMovingAvg/decay",
        "variance_decay": "BatchNorm/AssignMovingAvg_1/decay",
    }
    tensors: dict[str, Any] = {
        name: _find_tensor(graph, suffix, context) for name, suffix in names.items()
    }
    tensors["gamma"] = _find_tensor(graph, gamma, context) if scaled else None
    if not scaled:
        tensors["gamma"] = ops.ones(tensors["moving_mean"].shape)
    return Statistics(**tensors)


def _fold_sum(
    graph: Graph, context: str, scaled: bool, training: bool, freeze_delay: int | None
) -> Operation:
    """Returns a folded sum that replaces the normalization's output."""
    norm = context + "BatchNorm/batchnorm_1/"
    product = graph.get_operation_by_name(norm + ("mul_1" if scaled else "mul"))
    layer, space_match = product.inputs[0].op, None
    if layer.type == "BatchToSpaceND":
        layer, space_match = layer.inputs[0].op, layer
    batch_statistics = _statistics(graph, context, scaled)
    correction = corrections(context, batch_statistics, freeze_delay) if training else None
    weights = _folded_weights(graph, context, product, layer, scaled, correction)
    result = copy_op(layer, layer.name + "_Fold", {1: weights}).outputs[0]
    where = result.device
    if space_match is not None:
        name = space_match.name + "_Fold"
        result = ops.batch_to_space_nd(
            result, space_match.inputs[1], space_match.inputs[2], name=name
        )
    if correction is not None:
        with device(where):
            result = ops.multiply(correction.reciprocal, result, context + "post_conv_mul")
            result = ops.add(result, correction.offset, context + "correction_add")
    shifted = graph.get_operation_by_name(norm + "add_1")
    output = copy_op(shifted, context + "add_fold", {0: result})
    assert_shapes_match("add_fold", output.inputs[0], output.outputs[0])
    return output


def _folded_weights(
    graph: Graph,
    context: str,
    product: Operation,
    layer: Operation,
    scaled: bool,
    correction: Corrections | None,
) -> Tensor:
    """Returns the layer's weights multiplied by the scale of the normalization."""
    weights, changes = layer.inputs[1], {}
    scale = None if correction is None else correction.scale
    if layer.type == "DepthwiseConv2dNative":
        shape = weights.get_shape().as_list()[2:4]
        name = context + "BatchNorm/batchnorm_1/" + ("mul" if scaled else "Rsqrt")
        factor = graph.get_operation_by_name(name).outputs[0]
        changes[1] = ops.reshape(factor, shape, context + "scale_reshape")
        if scale is not None:
            scale = ops.reshape(scale, shape, context + "correction_reshape")
    elif layer.type not in ("Conv2D", "MatMul"):
        raise ValueError(f"Cannot handle operation of type: {layer.type}")
    if scale is not None:
        with device(product.device):
            weights = ops.multiply(scale, weights, context + "correction_mult")
    result = copy_op(product, context + "mul_fold", {0: weights, **changes})
    assert_shapes_match("mul_fold", result.inputs[0], result.outputs[0])
    return result.outputs[0]
