"""`import_graph_def`: adds a GraphDef to the default graph."""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from tfmini._src.base import proto
from tfmini._src.base.names.deprecation import deprecated_args
from tfmini._src.graph import element_lookup, nodedef, stack_traces
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graphdef.graph_importer import CONTROL, Importer, Source, tensor_name
from tfmini._src.graph.graphdef.newer_nodes import drop_newer_attrs, rename_newer
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike

InputMap: TypeAlias = Mapping[str, TensorLike] | Mapping[bytes, TensorLike]

_LARGE = 1000  # nodes: from there on garbage collection is felt


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
    """Adds the nodes of a GraphDef to the default graph.

    Args:
      graph_def: a GraphDef proto; attrs that its nodes lack are set in it to their defaults.
      input_map: by the name of an input ("x", "x:1", "^x") the tensor to take in its place. Values
        that are no tensors are converted.
      return_elements: names of operations ("y") and tensors ("y:0") of the GraphDef to return.
      name: the scope in which the nodes are made, by default "import"; "" for none.
      op_dict: has no effect.
      producer_op_list: an OpList proto of what wrote the GraphDef: attrs that are not known here
        are dropped if they have their default there.

    Returns:
      The operations and tensors of `return_elements`, a list; None without it.

    Raises:
      TypeError: an argument is of another type.
      ValueError: the GraphDef is not well formed or does not fit the ops, or a name in `input_map`
        or `return_elements` is not in it.
      NotFoundError: a node is of an op that tfmini does not have.

    Example:
      graph_def = tf.GraphDef.FromString(open("frozen.pb", "rb").read())
      y, = tf.import_graph_def(graph_def, {"x:0": images}, ["softmax:0"])
    """
    graph_def = _checked_graph_def(graph_def)
    given = _checked_input_map(input_map)
    if return_elements is not None:
        if not all(isinstance(element, str | bytes) for element in return_elements):
            raise TypeError("return_elements must be a list of strings.")
    if producer_op_list is not None:
        _drop_default_attrs(graph_def, producer_op_list)
    graph = get_default_graph()
    with name_scope(name, "import", given.values()) as scope:
        mapped = _converted(given, name)
    importer = Importer(graph, graph_def, scope, mapped)
    returns = (
        []
        if return_elements is None
        else [_requested(to_str(element)) for element in return_elements]
    )
    with graph._lock, _no_collection(len(graph_def.node)):
        importer.make_nodes()
        found = [importer.find(request) for request in returns]
        importer.add_to_graph(stack_traces.capture(1))
    unused = importer.unused_inputs()
    if unused:
        names = ", ".join(unused)
        raise ValueError(f"Attempted to map inputs that were not found in graph_def: [{names}]")
    return None if return_elements is None else found


@contextlib.contextmanager
def _no_collection(nodes: int) -> Iterator[None]:
    """Python's search for cyclic garbage waits while a large graph is made: all of it stays, and
    looking through it again and again takes as long as half of the import.
    """
    searches = nodes > _LARGE and gc.isenabled()
    if searches:
        gc.disable()
    try:
        yield
    finally:
        if searches:
            gc.enable()


def _checked_graph_def(graph_def: proto.GraphDef) -> proto.GraphDef:
    if isinstance(graph_def, proto.GraphDef):
        for node in graph_def.node:
            complete(node)
        return graph_def
    descriptor = getattr(graph_def, "DESCRIPTOR", None)
    if getattr(descriptor, "full_name", "").rpartition(".")[2] != "GraphDef":
        raise TypeError("graph_def must be a GraphDef proto.")
    return proto.GraphDef.FromString(graph_def.SerializeToString())


def complete(node: proto.NodeDef) -> None:
    """Sets the attrs that a NodeDef lacks to their defaults, and makes a newer one one of TensorFlow 1.15.5."""
    rename_newer(node)
    opdef = element_lookup.registry.get(node.op)
    if opdef is None:
        return
    given = node.attr
    for key, default in _default_values(opdef.name):
        if key not in given or given[key].WhichOneof("value") is None:
            given[key].CopyFrom(default)
    drop_newer_attrs(node, opdef)


@functools.cache
def _default_values(op_type: str) -> list[tuple[str, proto.AttrValue]]:
    attrs = element_lookup.registry[op_type].attrs
    return [
        (key, nodedef.attr_value(attr.default, attr))
        for key, attr in attrs.items()
        if not attr.required
    ]


def _checked_input_map(input_map: Any) -> dict[Any, Any]:
    if input_map is None:
        return {}
    if not isinstance(input_map, dict) or not all(isinstance(k, str | bytes) for k in input_map):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    return input_map


def _converted(input_map: dict[str | bytes, Any], name: str | None) -> dict[str | bytes, Tensor]:
    """The map with tensors as values."""
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


def _requested(text: str) -> Source:
    """The graph element that a user names: "op" stands for an operation here, "op:0" for a tensor."""
    return tensor_name(text) if ":" in text else Source(text, CONTROL)


def _drop_default_attrs(graph_def: proto.GraphDef, producer_op_list: proto.OpList) -> None:
    """Removes attrs not known here that have the default of the program that wrote them."""
    producer = {op.name: {a.name: a for a in op.attr} for op in producer_op_list.op}
    for node in graph_def.node:
        opdef = element_lookup.registry.get(node.op)
        if opdef is None or node.op not in producer:
            continue
        for key in list(node.attr):
            attr = producer[node.op].get(key)
            if key in opdef.attrs or attr is None or not attr.HasField("default_value"):
                continue
            if node.attr[key].SerializeToString() == attr.default_value.SerializeToString():
                del node.attr[key]
