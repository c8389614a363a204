"""Text table of a model's layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.nest.structure import flatten
from tfmini._src.nn.layers.nodes import Node


def count_weights(weights: list) -> int:
    """Returns the total number of elements in the variables, each variable counted once."""
    distinct = {id(w): w for w in weights}.values()
    return int(sum(np.prod(w.shape.as_list()) for w in distinct))


def _is_chain(model: Any) -> bool:
    """Whether the layers form a linear chain."""
    if type(model).__name__ == "Sequential" or not model._is_graph_network:
        return True
    nodes: list[Node] = []
    for row in model._nodes_by_depth.values():
        if len(row) > 1 or (len(row) == 1 and len(flatten(row[0].inbound_layers)) > 1):
            return False
        nodes += row
    return all(sum(node in nodes for node in layer.inbound_nodes) <= 1 for layer in model.layers)


def print_summary(
    model: Any, line_length: Any = None, positions: Any = None, print_fn: Any = None
) -> None:
    """Prints a table of the layers; the arguments are as in `Model.summary`."""
    write: Callable[[str], Any] = print if print_fn is None else print_fn
    is_chain = _is_chain(model)
    line_length = line_length or (65 if is_chain else 98)
    positions = positions or ([0.45, 0.85, 1.0] if is_chain else [0.33, 0.55, 0.67, 1.0])
    if positions[-1] <= 1:
        positions = [int(line_length * p) for p in positions]
    head = ["Layer (type)", "Output Shape", "Param #"]
    within: list[Node] = []
    if not is_chain:
        head.append("Connected to")
        within = [node for row in model._nodes_by_depth.values() for node in row]

    def row(*fields: Any) -> None:
        line = ""
        for n, (field, end) in enumerate(zip(fields, positions)):
            line = (line[:-1] + " " if n else "") + str(field)
            line = line[:end].ljust(end)
        write(line)

    write(f'Model: "{model.name}"')
    write("_" * line_length)
    row(*head)
    write("=" * line_length)
    layers = model.layers
    for n, layer in enumerate(layers):
        try:
            shape = layer.output_shape
        except AttributeError:
            shape = "multiple"
        fields = [f"{layer.name} ({type(layer).__name__})", shape, layer.count_params()]
        if is_chain:
            row(*fields)
        else:
            connected = [
                f"{inbound_layer.name}[{index}][{tensor_index}]"
                for node in layer.inbound_nodes
                if not within or node in within
                for inbound_layer, index, tensor_index, _ in node.iterate_inbound()
            ]
            row(*fields, connected[0] if connected else "")
            for text in connected[1:]:
                row("", "", "", text)
        write(("=" if n == len(layers) - 1 else "_") * line_length)
    model._check_trainable_weights_consistency()
    trained = getattr(model, "_collected_trainable_weights", None)
    trained = model._unique_trainable_weights if trained is None else trained
    trainable, fixed = count_weights(trained), count_weights(model.non_trainable_weights)
    write(f"Total params: {trainable + fixed:,}")
    write(f"Trainable params: {trainable:,}")
    write(f"Non-trainable params: {fixed:,}")
    write("_" * line_length)
