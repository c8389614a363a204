"""Layers to quantize: products, the biases and bypasses added to them, and activations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.base import logs
from tfmini._src.contrib.quantize.graph_matcher import Match, OneOf, OpPattern, matches
from tfmini._src.graph.graph import Graph

_SUM = "Add|AddV2"
_PRODUCT = "Conv2D|DepthwiseConv2dNative|MatMul"


@dataclass(frozen=True)
class Layer:
    """A product, its weights, and the following operations, or None.

    `bypass` is an addition before the activation, `late_bypass` one after it.
    """

    op: Any
    weights: Any
    activation: Any
    bypass: Any = None
    late_bypass: Any = None
    bias_add: Any = None


class _Patterns:
    """Patterns that match the layers of a graph."""

    def __init__(self) -> None:
        variable = OpPattern("Variable|VariableV2")
        part = OpPattern("Identity", [variable])
        parts = OpPattern("ConcatV2", [part, "*", "*"])
        self.read = OpPattern("Identity", [OneOf(part, parts, variable)])
        self.resource_read = OpPattern("ReadVariableOp")
        self.folded = OpPattern("Mul")
        weights = OneOf(self.read, self.resource_read, self.folded)
        self.product = OpPattern(_PRODUCT, [OpPattern("*"), weights], ordered=False)
        batch_to_space = OpPattern("BatchToSpaceND", [self.product, "*", "*"])
        result = OneOf(batch_to_space, self.product)
        self.separable = OpPattern(_PRODUCT, [result, "*"], ordered=False)
        # Folded batch normalization multiplies, corrects and adds.
        scaled = OpPattern("Mul", ["*", result], ordered=False)
        corrected = OpPattern(_SUM, [scaled, "*"], ordered=False)
        self.folded_bias = OpPattern(_SUM, [corrected, "*"], ordered=False)
        identity = OpPattern("Identity", [self.folded_bias])
        self.bias = OpPattern(_SUM + "|BiasAdd", [result, "*"], ordered=False)
        biased = OneOf(self.bias, self.folded_bias, identity)
        self.bypass = OpPattern(_SUM, [biased, "*"], ordered=False)
        before = OneOf(self.bias, self.folded_bias, identity, self.bypass, self.product)
        self.activation = OpPattern("Relu|Relu6|Identity", [before])
        self.late_bypass = OpPattern(_SUM, ["*", self.activation], ordered=False)

    def weights(self, match: Match, is_folded: bool = True) -> Any:
        last = [self.folded] if is_folded else []
        return match.tensor(self.read, self.resource_read, *last)


def find_layers(graph: Graph) -> list[Layer]:
    """Returns the layers of a graph in this order: with late bypass, with activation, without, and separable."""
    p = _Patterns()
    layers: dict[Any, Layer] = {}  # by product: the first matching kind

    def add(match: Match, weights: Any, activation: Any, **fields: Any) -> None:
        op = match.op(p.product)
        layers.setdefault(op, Layer(op, weights, activation, **fields))

    for match in matches(p.late_bypass, graph):
        bias = match.op(p.bias, p.folded_bias)
        bypass, late_bypass = match.op(p.bypass), match.op(p.late_bypass)
        activation = match.op(p.activation)
        add(
            match,
            p.weights(match),
            activation,
            bypass=bypass,
            late_bypass=late_bypass,
            bias_add=bias,
        )
    for match in matches(p.activation, graph):
        activation = match.op(p.activation)
        if match.op(p.product) not in layers and not _feeds_norm(activation):
            bias = match.op(p.bias, p.folded_bias)
            bypass = match.op(p.bypass)
            add(match, p.weights(match), activation, bypass=bypass, bias_add=bias)
    for match in matches(OneOf(p.bias, p.folded_bias), graph):
        add(match, p.weights(match), match.op(p.bias, p.folded_bias))
    for match in matches(p.separable, graph):
        add(match, p.weights(match, is_folded=False), match.op(p.product))
    return list(layers.values())


def _feeds_norm(activation: Any) -> bool:
    """Whether an activation is an Identity that feeds a fused batch normalization."""
    if activation.type != "Identity" or len(activation.outputs) != 1:
        return False
    readers = activation.outputs[0].consumers()
    feeds = len(readers) == 1 and readers[0].type in ("FusedBatchNorm", "FusedBatchNormV3")
    if feeds:
        logs.info(
            "Skipping quantizing %s, because it is the output of a conv/fc "
            "followed by a identity, feeding a fused batch norm.",
            activation.name,
        )
    return feeds
