"""Source inputs of a tensor, and conversion of foreign kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.variable_and_placeholder import get_value, set_value

_CONVOLUTIONS = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose")


def get_source_inputs(tensor: TensorLike, layer: Any = None, node_index: Any = None) -> Any:
    """The model inputs that a tensor is computed from.

    Args:
      tensor: the output of a layer.
      layer, node_index: the layer and its call, if not those that produced the tensor.

    Returns:
      A list of tensors; the tensor itself if not produced by a layer.
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
    for inbound, number, _, source in node.iterate_inbound():
        sources.update({id(found): found for found in get_source_inputs(source, inbound, number)})
    return list(sources.values())


def convert_all_kernels_in_model(model: Any) -> None:
    """Rotates a model's convolution kernels by 180 degrees in place, for libraries that convolve."""
    for layer in model.layers:
        if type(layer).__name__ in _CONVOLUTIONS:
            kernel = get_value(layer.kernel)
            set_value(layer.kernel, np.flip(kernel, tuple(range(kernel.ndim - 2))).copy())
