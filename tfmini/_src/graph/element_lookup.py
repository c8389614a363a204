"""Lookup of graph elements by name, with TensorFlow's messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tfmini._src.base.error_hints import add_hint
from tfmini._src.graph import nearest_name
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor, is_eager

if TYPE_CHECKING:
    from tfmini._src.graph.scope_stacks import ScopeStacks


def as_graph_element(
    graph: ScopeStacks, obj: object, allow_tensor: bool, allow_operation: bool
) -> Tensor | Operation:
    """Implements `Graph.as_graph_element`."""
    if allow_tensor and allow_operation:
        types = "Tensor or Operation"
    elif allow_tensor:
        types = "Tensor"
    elif allow_operation:
        types = "Operation"
    else:
        raise ValueError("allow_tensor and allow_operation can't both be False.")
    convert = getattr(obj, "_as_graph_element", None)
    if callable(convert):
        obj = convert()
    if isinstance(obj, str | bytes):
        name = obj.decode() if isinstance(obj, bytes) else obj
        return _node_by_name(graph, name, allow_tensor, allow_operation, types)
    if isinstance(obj, Tensor) and allow_tensor:
        if obj.graph is not graph:
            raise ValueError(f"Tensor {obj} is not an element of this graph.")
        return obj
    if isinstance(obj, Operation) and allow_operation:
        if obj.graph is not graph:
            raise ValueError(f"Operation {obj} is not an element of this graph.")
        return obj
    raise TypeError(f"Can not convert a {type(obj).__name__} into a {types}.")


def _node_by_name(
    graph: ScopeStacks, name: str, allow_tensor: bool, allow_operation: bool, types: str
) -> Tensor | Operation:
    nodes = graph._nodes_by_name
    if ":" in name:
        if not allow_tensor:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a {types}.")
        op_name, _, index = name.partition(":")
        if not index.lstrip("-").isdigit():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be "
                'of the form "<op_name>:<output_index>".'
            )
        if op_name not in nodes:
            missing = KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does "
                "not exist in the graph."
            )
            raise _with_nearest_name(missing, op_name, nodes, f":{index}")
        outputs = nodes[op_name].outputs
        if not -len(outputs) <= int(index) < len(outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
                f"exists but only has {len(outputs)} outputs."
            )
        return outputs[int(index)]
    if allow_operation:
        if name not in nodes:
            missing = KeyError(f"The name {name!r} refers to an Operation not in the graph.")
            raise _with_nearest_name(missing, name, nodes)
        return nodes[name]
    if name in nodes:
        message = f"The name {name!r} refers to an Operation, not a {types}."
    else:
        message = f"The name {name!r} looks like an (invalid) Operation name, not a {types}."
    raise ValueError(f'{message} Tensor names must be of the form "<op_name>:<output_index>".')


def _with_nearest_name(
    error: KeyError, name: str, nodes: Mapping[str, Operation], index: str = ""
) -> KeyError:
    """Adds the nearest name in the graph, if any, to the error as a hint."""
    nearest_match = nearest_name.nearest_name(name, nodes)
    return (
        error
        if nearest_match is None
        else add_hint(error, f"did you mean {nearest_match + index!r}?")
    )


def op_to_colocate_with(value: Any, graph: Any) -> Operation:
    """Returns the operation to colocate with for `value` (a tensor, variable or slices)."""
    handle = getattr(value, "handle", None)
    if is_eager(handle) or isinstance(getattr(handle, "op", None), Operation):
        value = graph.capture(handle) if graph.building_function else handle
    if is_eager(value):
        if not graph.building_function:
            raise ValueError(
                "Encountered an Eager-defined Tensor during graph construction, but a function was not being built."
            )
        value = graph.capture(value)
    if isinstance(value, Tensor):
        return value.op
    rows = getattr(value, "values", None)
    if isinstance(rows, Tensor):  # IndexedSlices or a SparseTensor
        return rows.op
    element: Tensor | Operation = graph.as_graph_element(value)
    return element.op if isinstance(element, Tensor) else element
