"""Folding of fused batch normalization into the weights of the preceding product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.autodiff.register_gradient import RegisterGradient
from tfmini._src.base import dtypes, proto
from tfmini._src.contrib.quantize.batch_norm_correction import Statistics, corrections
from tfmini._src.contrib.quantize.graph_matcher import Match, OneOf, OpPattern, matches
from tfmini._src.contrib.quantize.reroute import reroute
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

_GRADIENT = "FoldFusedBatchNormGrad"


class _Patterns:
    """Patterns that match a product, optionally followed by BatchToSpaceND and Identity, and its normalization."""

    def __init__(self) -> None:
        self.input, self.weights = OpPattern("*"), OpPattern("*")
        self.gamma, self.beta = OpPattern("*"), OpPattern("*")
        self.mean, self.variance = OpPattern("*"), OpPattern("*")
        self.product = OpPattern("Conv2D|DepthwiseConv2dNative|MatMul", [self.input, self.weights])
        self.batch_to_space = OpPattern("BatchToSpaceND", [self.product, "*", "*"])
        named = OpPattern("Identity", [OneOf(self.batch_to_space, self.product)])
        result = OneOf(named, self.product, self.batch_to_space)
        reshaped = OpPattern("Reshape", [result, "*"])
        self.norm = OpPattern(
            "FusedBatchNorm|FusedBatchNormV3",
            [OneOf(reshaped, result), self.gamma, self.beta, self.mean, self.variance],
        )
        self.reshaped_norm = OpPattern("Reshape", [self.norm, "*"])
        self.decay = OpPattern("*")
        self.difference = OpPattern("Sub", ["*", self.norm])
        self.change = OpPattern("Mul", [self.difference, self.decay])


@dataclass(frozen=True)
class _Norm:
    op: Operation
    layer: Operation
    input: Tensor
    weights: Tensor
    beta: Tensor
    output: Tensor
    batch_to_space: bool
    statistics: Statistics


def fold_fused_norms(graph: Graph, freeze_delay: int | None) -> None:
    """Folds each `FusedBatchNorm` that normalizes a product in a graph."""
    p = _Patterns()
    norms: dict[Operation, _Norm] = {}
    for match in matches(OneOf(p.reshaped_norm, p.norm), graph):
        norm = _norm(p, match, graph)
        if norm is not None:
            norms.setdefault(norm.layer, norm)
    for norm in norms.values():
        _fold(norm, graph, freeze_delay)


def _norm(p: _Patterns, match: Match, graph: Graph) -> _Norm | None:
    """Returns the tensors and ops of a matched batch normalization; None if its output is unused or not foldable."""
    layer, op = match.op(p.product), match.op(p.norm)
    output = op.outputs[0]
    if layer.type == "MatMul":
        reshaped = match.op(p.reshaped_norm)
        if reshaped is None:
            return None
        output = reshaped.outputs[0]
    if not output.consumers():
        return None
    return _Norm(
        op=op,
        layer=layer,
        input=match.tensor(p.input),
        weights=match.tensor(p.weights),
        beta=match.tensor(p.beta),
        output=output,
        batch_to_space=match.op(p.batch_to_space) is not None,
        statistics=_statistics(p, match, graph),
    )


def _statistics(p: _Patterns, match: Match, graph: Graph) -> Statistics:
    op, gamma = match.op(p.norm), match.tensor(p.gamma)
    mean, variance = match.tensor(p.mean), match.tensor(p.variance)
    moving_statistics: dict[str, Any] = {}
    if op.get_attr("is_training"):
        op._set_attr("_gradient_op_type", proto.AttrValue(s=_GRADIENT.encode()))
        mean, variance = op.outputs[1], _biased_variance(op, match.tensor(p.product), graph)
        for change in matches(p.change, graph):
            difference, decay = change.op(p.difference), change.tensor(p.decay)
            if difference.inputs[1] is op.outputs[1]:
                moving_statistics |= {"moving_mean": difference.inputs[0], "mean_decay": decay}
            if difference.inputs[1] is op.outputs[2]:
                moving_statistics |= {
                    "moving_variance": difference.inputs[0],
                    "variance_decay": decay,
                }
    empty = dict.fromkeys(("moving_mean", "mean_decay", "moving_variance", "variance_decay"))
    epsilon = op.get_attr("epsilon")
    return Statistics(gamma, mean, variance, epsilon, **(empty | moving_statistics))


def _biased_variance(op: Operation, layer: Tensor, graph: Graph) -> Tensor:
    """Returns the batch variance with divisor n, from the op's variance with divisor n - 1."""
    scope, slash, _ = op.name.rpartition("/")
    with graph.as_default(), graph.name_scope(scope + slash):
        n = ops.cast(ops.size(layer) / ops.size(op.outputs[1]), dtypes.float32)
        return ops.multiply(op.outputs[2], (n - 1) / n, name="Undo_Bessel_Correction")


def _fold(norm: _Norm, graph: Graph, freeze_delay: int | None) -> None:
    scope, slash, _ = norm.layer.name.rpartition("/")
    batch_statistics, weights = norm.statistics, norm.weights
    with graph.as_default(), graph.name_scope(scope + slash):
        with graph.name_scope(f"{scope}{slash}BatchNorm_Fold{slash}"):
            factor = batch_statistics.gamma * ops.rsqrt(
                batch_statistics.variance + norm.op.get_attr("epsilon")
            )
            bias = ops.subtract(norm.beta, batch_statistics.mean * factor, name="bias")
            correction = scale = None
            if norm.op.get_attr("is_training"):
                correction = corrections("", batch_statistics, freeze_delay)
                scale = correction.scale
            if norm.layer.type == "DepthwiseConv2dNative":
                shape = weights.get_shape().as_list()[2:4]
                factor = ops.reshape(factor, shape, name="scale_reshape")
                if scale is not None:
                    scale = ops.reshape(scale, shape, name="correction_reshape")
        if scale is not None:
            weights = ops.multiply(scale, weights, name="correction_mult")
        result = _copy_product(norm, ops.multiply(weights, factor, name="mul_fold"))
        if correction is not None:
            result = ops.multiply(correction.reciprocal, result, name="post_conv_mul")
            result = ops.add(result, correction.offset, "correction_add")
        if not reroute(ops.add(result, bias, name="add_fold"), norm.output):
            raise ValueError(f"Folding batch norms failed, {norm.output.name} had no outputs.")


def _copy_product(norm: _Norm, weights: Tensor) -> Tensor:
    """Returns a copy of the product with other weights."""
    layer = norm.layer
    name = layer.name.split("/")[-1] + "_Fold"
    if layer.type == "Conv2D":
        return ops.conv2d(
            norm.input,
            weights,
            strides=layer.get_attr("strides"),
            padding=layer.get_attr("padding"),
            use_cudnn_on_gpu=layer.get_attr("use_cudnn_on_gpu"),
            data_format=layer.get_attr("data_format").decode(),
            name=name,
        )
    if layer.type == "MatMul":
        return ops.matmul(
            norm.input,
            weights,
            transpose_a=layer.get_attr("transpose_a"),
            transpose_b=layer.get_attr("transpose_b"),
            name=name,
        )
    result = ops.depthwise_conv2d(
        norm.input,
        weights,
        strides=layer.get_attr("strides"),
        padding=layer.get_attr("padding"),
        name=name,
    )
    if norm.batch_to_space:
        op = layer.outputs[0].consumers()[0]
        name = op.name.split("/")[-1] + "_Fold"
        result = ops.batch_to_space_nd(result, op.inputs[1], op.inputs[2], name=name)
    return result


@RegisterGradient(_GRADIENT)
def _gradient(op: Operation, *grads: Any) -> tuple:
    """Returns the gradient of the op through mean and variance only, since its normalized output is unused."""
    x, grad_mean, grad_variance = op.inputs[0], grads[1], grads[2]
    n = ops.cast(ops.size(x) / ops.size(grad_mean), dtypes.float32)
    mean_term = grad_mean / n
    variance_term = 2 * grad_variance * (x - op.outputs[1]) / (n - 1)
    return mean_term + variance_term, None, None, None, None
