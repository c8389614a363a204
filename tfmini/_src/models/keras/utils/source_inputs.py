"""Finds the model inputs that a tensor depends on."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.tensor import TensorLike


def get_source_inputs(tensor: TensorLike, layer: Any = None, node_index: Any = None) -> Any:
    """Returns the model inputs that a tensor depends on.

    Args:
      tensor: the output of a layer.
      layer, node_index: the layer and the index of its call, by default the layer and call that produced the tensor.

    Returns:
      A list of tensors; the tensor itself if it was not produced by a layer.
    """
    if not hasattr(tensor, "_keras_history"):
        return tensor
    if layer is None or node_index:
        layer, node_index, _ = tensor._keras_history
    if not layer._inbound_nodes:
        return [tensor]
    node = layer._inbound_nodes[node_index]
    if not node.inbound_layers:
        return flatten(node.input_tensors)
    sources = {}
    for inbound, index, _, source in node.iterate_inbound():
        sources.update(
            {
                id(source_input): source_input
                for source_input in get_source_inputs(source, inbound, index)
            }
        )
    return list(sources.values())
