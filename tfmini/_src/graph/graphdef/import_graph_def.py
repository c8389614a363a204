"""`import_graph_def`: adds a GraphDef to the default graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from tfmini._src.base import garbage_collection, proto
from tfmini._src.base.names.deprecation import deprecated_args
from tfmini._src.graph import op_registry, stack_traces
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.function_library import from_library
from tfmini._src.graph.graphdef.graph_importer import (
    CONTROL,
    Importer,
    Source,
    check_versions,
    tensor_name,
)
from tfmini._src.graph.graphdef.node_defaults import complete_node
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike

InputMap: TypeAlias = Mapping[str, TensorLike] | Mapping[bytes, TensorLike]


@deprecated_args(
    None,
    "Please file an issue at https://github.com/tensorflow/tensorflow/issues if you depend on this "
    "feature.",
    "op_dict",
)
def import_graph_def(
    graph_def: proto.GraphDef,
    input_map: InputMap | None = None,
    return_elements: Iterable[str | bytes] | None = None,
    name: str | None = None,
    op_dict: object = None,
    producer_op_list: proto.OpList | None = None,
) -> list[Tensor | Operation] | None:
    """Imports the nodes of a GraphDef into the default graph.

    Args:
      graph_def: a GraphDef proto; missing attrs of its nodes are set to their defaults in place.
      input_map: maps input names ("x", "x:1", "^x") to replacement tensors; other values are
        converted to tensors.
      return_elements: names of operations ("y") and tensors ("y:0") in the GraphDef to return.
      name: name scope of the nodes, default "import"; "" for none.
      op_dict: ignored.
      producer_op_list: an OpList proto of the GraphDef's producer: attrs unknown to this version are dropped if they
        have the producer's default.

    Returns:
      A list of the operations and tensors in `return_elements`; None if that is None.

    Raises:
      TypeError: if an argument has the wrong type.
      ValueError: if the GraphDef is malformed or does not match the op declarations, or does not contain a name in
        `input_map` or `return_elements`.
      NotFoundError: if a node's op is not supported.

    Example:

      graph_def = tf.GraphDef.FromString(open("frozen.pb", "rb").read())
      y, = tf.import_graph_def(graph_def, {"x:0": images}, ["softmax:0"])
    """
    graph_def = _checked_graph_def(graph_def)
    tensors_by_name = _checked_input_map(input_map)
    if return_elements is not None:
        if not all(isinstance(element, str | bytes) for element in return_elements):
            raise TypeError("return_elements must be a list of strings.")
    if producer_op_list is not None:
        _drop_default_attrs(graph_def, producer_op_list)
    graph = get_default_graph()
    with name_scope(name, "import", tensors_by_name.values()) as scope:
        importer = Importer(graph, graph_def, scope, _convert_map(tensors_by_name, name))
    returns = (
        []
        if return_elements is None
        else [_parse_element(to_str(element)) for element in return_elements]
    )
    with graph._lock, garbage_collection.pause_collection():
        check_versions(graph_def.versions)
        importer.make_nodes(from_library(graph_def.library))
        elements = [importer.find(request) for request in returns]
        importer.add_to_graph(stack_traces.capture(1))
    unused = importer.unused_inputs()
    if unused:
        names = ", ".join(unused)
        raise ValueError(f"Attempted to map inputs that were not found in graph_def: [{names}]")
    return None if return_elements is None else elements


def _checked_graph_def(graph_def: proto.GraphDef) -> proto.GraphDef:
    if isinstance(graph_def, proto.GraphDef):
        for node in graph_def.node:
            complete_node(node)
        return graph_def
    descriptor = getattr(graph_def, "DESCRIPTOR", None)
    if getattr(descriptor, "full_name", "").rpartition(".")[2] != "GraphDef":
        raise TypeError("graph_def must be a GraphDef proto.")
    return proto.GraphDef.FromString(graph_def.SerializeToString())


def _checked_input_map(input_map: Any) -> dict[Any, Any]:
    if input_map is None:
        return {}
    if not isinstance(input_map, dict) or not all(isinstance(k, str | bytes) for k in input_map):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    return input_map


def _convert_map(input_map: dict[str | bytes, Any], name: str | None) -> dict[str | bytes, Tensor]:
    """Returns the input map with its values converted to tensors."""
    if all(isinstance(value, Tensor) for value in input_map.values()):
        return input_map
    if name == "":
        raise ValueError(
            "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor "
            "values. Try calling tf.convert_to_tensor() on `input_map` values before calling "
            "tf.import_graph_def()."
        )
    with name_scope("_inputs"):
        return {key: convert_to_tensor(value) for key, value in input_map.items()}


def _parse_element(text: str) -> Source:
    """Parses an element of `return_elements`: "op" names an operation, "op:0" a tensor."""
    return tensor_name(text) if ":" in text else Source(text, CONTROL)


def _drop_default_attrs(graph_def: proto.GraphDef, producer_op_list: proto.OpList) -> None:
    """Removes attrs that this version does not know if they have the producer's default."""
    producer = {op.name: {a.name: a for a in op.attr} for op in producer_op_list.op}
    for node in graph_def.node:
        opdef = op_registry.registry.get(node.op)
        if opdef is None or node.op not in producer:
            continue
        for key in list(node.attr):
            attr = producer[node.op].get(key)
            if key in opdef.attrs or attr is None or not attr.HasField("default_value"):
                continue
            if node.attr[key].SerializeToString() == attr.default_value.SerializeToString():
                del node.attr[key]
