"""Insertion of fake quantization for weights, activations, and sums and products of quantized values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tfmini._src.base import logs
from tfmini._src.contrib.quantize.layers import Layer, find_layers
from tfmini._src.contrib.quantize.quant_ops import Range, fake_quantize
from tfmini._src.contrib.quantize.reroute import Consumers, node_scope, quantization_step, reroute
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

_ACTIVATIONS = ("Relu", "Relu6", "Identity")
_SUMS = ("Add", "AddV2", "Mul")
_PASS_THROUGH_OPS = ("Reshape", "Identity", "BatchToSpaceND", "SpaceToBatchND", "MaxPool", "Max")
_FAKE_QUANT_OPS = (
    "FakeQuantWithMinMaxVars",
    "FakeQuantWithMinMaxArgs",
    "FakeQuantWithMinMaxVarsPerChannel",
)
_SKIP_MESSAGE = "Skipping %s, because its followed by an activation."


def quantize(
    graph: Graph,
    training: bool,
    weight_bits: int,
    activation_bits: int,
    symmetric: bool,
    quant_delay: int | None,
    scope: str | None,
) -> None:
    """Quantizes weights and activations of a graph; see `experimental_create_training_graph`."""
    if scope and not scope.endswith("/"):
        scope += "/"
    weights = Range(False, weight_bits, narrow=True, symmetric=symmetric)
    activations = Range(True, activation_bits, symmetric=symmetric)
    rewriter = _Rewriter(graph, training, quant_delay, scope)
    for layer in find_layers(graph):
        rewriter.quantize_layer(layer, weights, activations)
    rewriter.quantize_remaining(Range(True, activation_bits))


class _Rewriter:
    """Inserts fake quantization into a graph; `done` contains the quantized operations."""

    def __init__(self, graph: Graph, training: bool, delay: int | None, scope: str | None):
        self.graph, self.training, self.delay, self.scope = graph, training, delay, scope
        self.readers = Consumers(graph)
        self.done: set[Operation] = set()

    def quantize_layer(self, layer: Layer, weights: Range, settings: Range) -> None:
        context = around = node_scope(layer.op.name)
        if layer.weights is not None:
            op = layer.weights.op
            self.insert(context, "weights_quant", op, weights, check_producer=False)
        if layer.activation is not None:
            around = node_scope(context) if layer.bypass else context
            from_zero = replace(settings, start=(0.0, 6.0))
            self.insert(around, "act_quant", layer.activation, from_zero, check_consumers=False)
            self.done.add(layer.activation)
        if layer.bypass is not None:
            self.insert(context, "conv_quant", layer.bias_add, settings)
            self.done.add(layer.bias_add)
            if self._is_followed_by(layer.bypass, _ACTIVATIONS):
                logs.info(_SKIP_MESSAGE, layer.bypass.name)
            else:
                self.insert(around, "add_quant", layer.bypass, settings)
                self.done.add(layer.bypass)
        late_bypass = layer.late_bypass
        if late_bypass is not None:
            if self._is_followed_by(late_bypass, ("Relu", "Relu6")):
                logs.info(_SKIP_MESSAGE, late_bypass.name)
            else:
                name = "post_activation_bypass_quant"
                self.insert(
                    node_scope(late_bypass.name), name, late_bypass, settings, check_consumers=False
                )
                self.done.add(late_bypass)

    def _is_followed_by(self, op: Operation, types: Sequence[str]) -> bool:
        return any(reader.type in types for reader in self.readers.consumers(op))

    def quantize_remaining(self, settings: Range) -> None:
        """Quantizes sums and products of quantized values without a subsequent activation."""
        self.readers = Consumers(self.graph)
        for op in self.graph.get_operations():
            if self._has_quantized_inputs(op):
                name = f"activation_{op.type}_quant"
                logs.info("Inserting fake quant op activation_%s_quant after %s", op.type, op.name)
                self.insert(op.name, name, op, settings, check_consumers=False)

    def _has_quantized_inputs(self, op: Operation) -> bool:
        if op in self.done or op.type not in _SUMS:
            return False
        if len(op.outputs) == 1 and len(op.outputs[0].consumers()) == 1:
            if op.outputs[0].consumers()[0].type in ("Relu", "Relu6"):
                logs.info("Skipping quant after %s", op.name)
                return False
        for tensor in op.inputs:
            source = tensor.op
            while source.type in _PASS_THROUGH_OPS:
                source = source.inputs[0].op
            if source.type == _FAKE_QUANT_OPS[0] or source.name.find("delayed_quant/Merge") > 0:
                return True
            if source.type in _SUMS and any(
                self._has_quantized_inputs(t.op) for t in source.inputs
            ):
                return True
        return False

    def insert(
        self,
        context: str,
        name: str,
        producer: Operation,
        settings: Range,
        check_producer: bool = True,
        check_consumers: bool = True,
    ) -> None:
        """Reroutes the consumers of an operation to its quantized output.

        Args:
          context: name scope of the fake quantization.
          name: name of the fake quantization.
          producer: the operation.
          settings: a `Range`.
          check_producer: whether the operation must be in the scope of the rewrite.
          check_consumers: whether its consumers must be in the scope of the rewrite.

        Raises:
          ValueError: if a consumer no longer reads the operation.
        """
        readers = self.readers.consumers(producer)
        if check_producer and self.scope and not producer.name.startswith(self.scope):
            logs.info(
                '_InsertQuantOp ignores context="%s" name="%s" because producer "%s" is not in '
                'scope "%s"',
                *(context, name, producer.name, self.scope),
            )
            return
        if check_consumers and self.scope:
            for reader in readers:
                if not reader.name.startswith(self.scope):
                    logs.info(
                        '_InsertQuantOp context="%s" name="%s" ignores consumer "%s" because it '
                        'is not in scope "%s"',
                        *(context, name, reader.name, self.scope),
                    )
                    return
        prefix = f"{context}/{name}" if context else name
        around = get_default_graph().get_name_scope()
        if around:
            prefix = prefix.removeprefix(around + "/")
        inputs = producer.outputs[0]
        if _is_quantized_later(inputs):
            return
        result = fake_quantize(inputs, settings, self.training, GraphKeys.GLOBAL_VARIABLES, prefix)
        if self.delay and self.delay > 0:
            result = self._delay_quantization(result, inputs, prefix)
        if readers and reroute(result, inputs, readers) < len(readers):
            names = ", ".join(reader.name for reader in readers)
            raise ValueError(f"No inputs quantized for ops: [{names}]")

    def _delay_quantization(self, result: Tensor, inputs: Tensor, prefix: str) -> Any:
        step = quantization_step()
        is_time = ops.greater_equal(step, self.delay, name=prefix + "/activate_quant")
        name = prefix + "/delayed_quant"
        return ops.cond(is_time, lambda: result, lambda: inputs, name=name)


def _is_quantized_later(tensor: Tensor) -> bool:
    """Whether a tensor reaches fake quantization, directly or through Reshape and Identity."""
    readers = list(tensor.consumers())
    while readers:
        reader = readers.pop()
        if reader.type in _FAKE_QUANT_OPS:
            return True
        if reader.type in ("Reshape", "Identity"):
            readers += [consumer for output in reader.outputs for consumer in output.consumers()]
    return False
