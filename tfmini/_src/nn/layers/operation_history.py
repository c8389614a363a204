"""Conversion of operations that `tf` functions add to a model between its layers to layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.function import function
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.call_context import current_call
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions, init_scope

# Factory of an operation's layer, registered by `tensorflow_op_layer.py`, which depends on layers.
layer_of_operation: list[Callable] = []


def needs_history(tensors: list) -> bool:
    """Whether tensors depend on a `tf.keras.Input` through operations that are not part of a layer."""
    if current_call().in_call:
        return False
    if all(getattr(x, "_keras_history", None) is not None for x in tensors):
        return False
    return _comes_from_inputs(tensors)


def _comes_from_inputs(tensors: list) -> bool:
    visited_ids: set[int] = set()
    waiting = list(tensors)
    while waiting:
        next_tensors: list = []
        for x in waiting:
            if id(x) in visited_ids or getattr(x, "_keras_history_checked", None) is not None:
                continue
            visited_ids.add(id(x))
            if getattr(x, "_keras_history", None) is not None:
                return True
            next_tensors += getattr(getattr(x, "op", None), "inputs", ())
        waiting = next_tensors
    for x in tensors:
        try:
            x._keras_history_checked = True
        except AttributeError:  # objects without attributes are traversed again
            continue
    return False


def make_history(tensors: Any) -> list:
    """Wraps the operations between layers that lead to `tensors` in new layers; returns the layers."""
    layers: list = []
    _make_nodes(flatten(tensors), set(), layers)
    return layers


def make_history_of_arguments(arguments: Any) -> None:
    """Wraps the operations that lead from a `tf.keras.Input` to tensors among a layer's other arguments."""
    for x in flatten(arguments):
        if isinstance(x, Tensor) and not hasattr(x, "_keras_history") and _comes_from_inputs([x]):
            make_history(x)


def _make_nodes(tensors: list, visited: set, new_nodes: list) -> None:
    for tensor in tensors:
        if getattr(tensor, "_keras_history", None) is not None or tensor.op in visited:
            continue
        op = tensor.op
        constants: dict[int, Any] = {}
        inputs: list = []
        for index, x in enumerate(op.inputs):
            if _comes_from_inputs([x]):
                inputs.append(x)
            else:
                constants[index] = _current_value(x)
        _make_nodes(inputs, visited, new_nodes)
        layer = layer_of_operation[0](op.node_def.SerializeToString(), op.name, constants)
        new_nodes.append(layer)
        layer._add_inbound_node(inputs, list(op.outputs))
        visited.add(op)


def _current_value(tensor: Any) -> Any:
    """Returns the current value of a tensor, to be stored as a constant of the layer."""
    if executing_eagerly_outside_functions():
        with init_scope():
            return function([], [tensor])([])[0]
    with init_scope():
        with control_dependencies([tensor]):
            pending_updates = ops.group()
        return get_session().run([tensor, pending_updates])[0]
