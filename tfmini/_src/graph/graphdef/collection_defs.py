"""Serialization of collections as CollectionDef messages, and back.

The first item determines the format: serialized messages if functions are registered for the collection's key
(`collection_protos`), else strings, integers, floats, `Any` messages, or node and tensor names.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.collection_protos import proto_functions
from tfmini._src.graph.prefixes import prepend_name_scope, strip_name_scope

UNBOUND_INPUT = "$unbound_inputs_"  # the prefix of input names outside the exported scope

# Collections that older releases wrote as node names.
_ONCE_NODES = (
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.MODEL_VARIABLES,
    GraphKeys.METRIC_VARIABLES,
)


def is_exported(
    item: object, export_scope: str | None, exclude_nodes: Container[object] | None
) -> bool:
    """Whether to export a node, or an item with a node name."""
    name = item if isinstance(item, str) else getattr(item, "name", None)
    if name is None:
        return True
    if exclude_nodes and (item in exclude_nodes or name in exclude_nodes):
        return False
    return name.startswith(UNBOUND_INPUT) or not export_scope or name.startswith(export_scope)


def _item_kind(item: object) -> str:
    if isinstance(item, str | bytes):
        return "bytes_list"
    if isinstance(item, int):
        return "int64_list"
    if isinstance(item, float):
        return "float_list"
    descriptor = getattr(item, "DESCRIPTOR", None)
    if getattr(descriptor, "full_name", "") == "google.protobuf.Any":
        return "any_list"
    return "node_list"


def add_collection_def(
    meta_graph_def: proto.MetaGraphDef,
    key: Hashable,
    graph: Graph | None = None,
    export_scope: str | None = None,
    exclude_nodes: Container[object] | None = None,
    override_contents: Iterable[object] | None = None,
) -> None:
    """Writes a collection of `graph` into a MetaGraphDef; skips collections that cannot be serialized, with a warning.

    Args:
      meta_graph_def: the MetaGraphDef message to write into.
      key: the collection key; non-string keys are skipped with a warning.
      graph: the graph; default: the default graph.
      export_scope: exports only the contents of this name scope, with the scope stripped from names.
      exclude_nodes: node names to exclude.
      override_contents: items to write instead of the collection's own.
    """
    if graph and not isinstance(graph, Graph):
        raise TypeError("graph must be of type Graph, not %s", type(graph))
    if not isinstance(key, str | bytes):
        logs.warning(
            "Only collections with string type keys will be serialized. This key has %s", type(key)
        )
        return
    items = override_contents or (graph or get_default_graph()).get_collection(key)
    items = [item for item in items if is_exported(item, export_scope, exclude_nodes)]
    if not items:
        return
    written: Any = meta_graph_def.collection_def  # keys may be bytes
    try:
        _write_items(written[key], key, items, export_scope)
    except Exception as error:  # an item's to_proto may raise anything
        logs.warning(
            "Issue encountered when serializing %s.\n"
            "Type is unsupported, or the types of the items don't match field type in "
            "CollectionDef. Note this is a warning and probably safe to ignore.\n%s",
            key,
            error,
        )
        if key in written:
            del written[key]


def _write_items(
    message: proto.CollectionDef, key: str | bytes, items: list[Any], export_scope: str | None
) -> None:
    functions = proto_functions(key)
    if functions.to_proto:
        for item in items:
            written = functions.to_proto(item, export_scope=export_scope)
            if written:
                assert isinstance(written, functions.proto_type)
                message.bytes_list.value.append(written.SerializeToString())
        return
    kind = _item_kind(items[0])
    values = getattr(message, kind).value
    if kind == "node_list":
        for item in items:
            if not export_scope or item.name.startswith(export_scope):
                values.append(strip_name_scope(item.name, export_scope))
    elif kind == "bytes_list":
        values.extend([to_bytes(item) for item in items])
    elif kind == "any_list":  # messages of the program's own descriptor pool
        for item in items:
            values.add().ParseFromString(item.SerializeToString())
    else:
        values.extend([int(item) if isinstance(item, bool) else item for item in items])


class CollectionReader:
    """Restores a MetaGraphDef's collections in the graph that its nodes were imported into.

    Args:
      graph: the graph, which must be the default graph during restoration.
      import_scope: name scope of the imported nodes, "" for none.
      trainable_is_written: False for MetaGraphDefs of releases before 1.9, whose variables are
        trainable if they are in that collection.
    """

    def __init__(self, graph: Graph, import_scope: str, trainable_is_written: bool = True):
        self._graph = graph
        self._scope = import_scope
        self._trainable_is_written = trainable_is_written
        # By serialized message: one object for all collections.
        self._variables: dict[bytes, Any] = {}

    def restore(self, key: str, message: proto.CollectionDef) -> None:
        """Appends the items of a CollectionDef to the collection `key`."""
        kind = message.WhichOneof("kind")
        if kind is None:
            logs.error("Cannot identify data type for collection %s. Skipping.", key)
            return
        values = getattr(message, kind).value
        # Metric variables formerly had no registered functions.
        functions = proto_functions(
            GraphKeys.GLOBAL_VARIABLES if key == GraphKeys.METRIC_VARIABLES else key
        )
        read = functions.from_proto
        if read and kind == "bytes_list":
            items: Iterable[object] = (
                self._read_item(key, functions.proto_type, read, value) for value in values
            )
        else:
            items = self._read_plain(key, kind, values)
        for item in items:
            self._graph.add_to_collection(key, item)

    def _read_item(self, key: str, proto_type: Any, read: Callable[..., Any], value: bytes) -> Any:
        if key not in GraphKeys._VARIABLE_COLLECTIONS:
            message = proto_type.FromString(value)
            return read(message, import_scope=self._scope)
        if value not in self._variables:
            message = proto_type.FromString(value)
            if not self._trainable_is_written:
                message.trainable = key == GraphKeys.TRAINABLE_VARIABLES
            self._variables[value] = read(message, import_scope=self._scope)
        return self._variables[value]

    def _read_plain(self, key: str, kind: str, values: Iterable[Any]) -> Iterable[object]:
        if key in _ONCE_NODES:
            logs.warning(
                "The saved meta_graph is possibly from an older release:\n"
                "'%s' collection should be of type 'byte_list', but instead is of type '%s'.",
                key,
                kind,
            )
        for value in values:
            if kind == "node_list":
                yield self._graph.as_graph_element(prepend_name_scope(value, self._scope))
            elif kind == "bytes_list" and self._scope:
                yield prepend_name_scope(value.decode(), self._scope)
            else:
                if kind in ("float_list", "any_list") and self._scope:
                    logs.warning(f"Expected binary or unicode string, got {value!r}")
                yield value
