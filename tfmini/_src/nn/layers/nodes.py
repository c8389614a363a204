"""Nodes: records of layer calls, from which the origin of a tensor can be traced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.graph.tensor import Tensor


class KerasHistory(NamedTuple):
    """The origin of a tensor: output `tensor_index` of call `node_index` of a layer."""

    layer: Any
    node_index: int
    tensor_index: int


def static_shape(x: Any) -> tuple | None:
    """Returns the static shape of a tensor as a tuple, or None if its rank is unknown."""
    try:
        return tuple(x.shape.as_list())
    except ValueError:
        return None


class Node:
    """A call of `outbound_layer`, with its inputs from other layers, its other arguments and its outputs.

    Attributes:
      inbound_layers, node_indices, tensor_indices: the origins of the inputs, in their structure.
      input_tensors, output_tensors, input_shapes, output_shapes: in the structures of the call's inputs and outputs.
      arguments: the other arguments by name, or None.

    Raises:
      ValueError: if `outbound_layer` is not a layer.
    """

    def __init__(
        self,
        outbound_layer: Any,
        inbound_layers: Any,
        node_indices: Any,
        tensor_indices: Any,
        input_tensors: Any,
        output_tensors: Any,
        arguments: Any = None,
    ):
        if isinstance(outbound_layer, (list, tuple, dict)):
            raise ValueError(
                "`outbound_layer` should be a layer instance, not a list, tuple, or, dict."
            )
        self.outbound_layer = outbound_layer
        self.inbound_layers = inbound_layers
        self.node_indices = node_indices
        self.tensor_indices = tensor_indices
        self.input_tensors = input_tensors
        self.output_tensors = output_tensors
        self.input_shapes = map_structure(static_shape, input_tensors)
        self.output_shapes = map_structure(static_shape, output_tensors)
        self.arguments = arguments
        for layer in flatten(inbound_layers):
            if layer is not None:
                layer.outbound_nodes.append(self)
        outbound_layer.inbound_nodes.append(self)

    def iterate_inbound(self, include_arguments: bool = False) -> list[tuple[Any, int, int, Any]]:
        """Yields (layer, node index, tensor index, tensor) for each input and each argument computed by a layer."""
        inputs = list(
            zip(
                flatten(self.inbound_layers),
                flatten(self.node_indices),
                flatten(self.tensor_indices),
                flatten(self.input_tensors),
            )
        )
        if include_arguments:
            inputs += [(*tensor._keras_history, tensor) for tensor in self._tensor_arguments()]
        return inputs

    def dependencies(self) -> list[Node]:
        """Returns the calls that computed the inputs and tensor arguments."""
        inbound = self.iterate_inbound(include_arguments=True)
        return [layer.inbound_nodes[index] for layer, index, _, _ in inbound]

    def _tensor_arguments(self) -> Iterator[Any]:
        for value in flatten(self.arguments):
            if isinstance(value, Tensor) and hasattr(value, "_keras_history"):
                yield value

    def get_config(self) -> dict[str, Any]:
        """Returns the names of the layers and the indices of nodes and tensors."""
        names = map_structure(lambda layer: layer.name if layer else None, self.inbound_layers)
        return {
            "outbound_layer": self.outbound_layer.name,
            "inbound_layers": names,
            "node_indices": self.node_indices,
            "tensor_indices": self.tensor_indices,
        }
