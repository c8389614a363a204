"""Imports a MetaGraphDef into a graph: nodes, then collections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.collection_defs import CollectionReader
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.prefixes import strip_name_scope
from tfmini._src.train.meta_graph.write_graph import message_scope


def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Any = None,
    import_scope: str | None = None,
    input_map: dict[str, Any] | None = None,
    unbound_inputs_col_name: str = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
    return_elements: Any = None,
) -> tuple[dict[str, Any], Any]:
    """Adds the nodes and collections of a MetaGraphDef to a graph.

    Args:
      meta_graph_or_file: a MetaGraphDef or its file path.
      clear_devices: whether to clear the devices of nodes, which modifies the message.
      graph: the target, by default the default graph.
      import_scope: name scope of the imported nodes.
      input_map: replacement tensors by input name.
      unbound_inputs_col_name: the collection that names the inputs required in `input_map`.
      restore_collections_predicate: function from a collection key to whether the collection is restored.
      return_elements: names of operations and tensors to return.

    Returns:
      The global variables by name in the MetaGraphDef, and the elements of `return_elements`.

    Raises:
      OSError: if the file does not exist or cannot be parsed.
      ValueError: if the graph is invalid or has unbound inputs.
    """
    with message_scope(meta_graph_or_file, proto.MetaGraphDef) as message:
        return _import(
            message,
            clear_devices,
            graph or get_default_graph(),
            import_scope,
            input_map,
            unbound_inputs_col_name,
            restore_collections_predicate,
            return_elements,
        )


def _import(
    message: Any,
    clear_devices: bool,
    graph: Any,
    import_scope: str | None,
    input_map: dict[str, Any] | None,
    unbound_inputs_col_name: str,
    restore_collections_predicate: Callable[[str], bool],
    return_elements: Any,
) -> tuple[dict[str, Any], Any]:
    if unbound_inputs_col_name:
        _check_bound(message.collection_def, unbound_inputs_col_name, input_map)
    with graph.as_default():
        if clear_devices:
            for node in message.graph_def.node:
                node.device = ""
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        info = message.meta_info_def
        returned = import_graph_def(
            message.graph_def,
            name=import_scope or scope,
            input_map=input_map,
            producer_op_list=info.stripped_op_list if info.HasField("stripped_op_list") else None,
            return_elements=return_elements,
        )
        reader = CollectionReader(graph, scope, _writes_trainable(info.tensorflow_version))
        # Trainable variables first, because in old releases, membership in this collection made them trainable.
        first = [key for key in message.collection_def if key == GraphKeys.TRAINABLE_VARIABLES]
        for key in first + sorted(set(message.collection_def) - set(first)):
            if key != unbound_inputs_col_name and restore_collections_predicate(key):
                reader.restore(key, message.collection_def[key])
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)
    return {strip_name_scope(variable.name, scope): variable for variable in variables}, returned


def _check_bound(collections: Any, key: str, input_map: dict[str, Any] | None) -> None:
    if key not in collections:
        return
    message = collections[key]
    kind = message.WhichOneof("kind")
    values = getattr(message, kind).value if kind else []
    names = [value.decode() if isinstance(value, bytes) else value for value in values]
    if names and (not input_map or sorted(names) != sorted(input_map)):
        raise ValueError(
            f"Graph contains unbound inputs: {','.join(names)}. Must provide these inputs through "
            "input_map."
        )


def _writes_trainable(release: str) -> bool:
    """Whether this TensorFlow release, such as "1.15.5", stores whether a variable is trainable."""
    version = [int(part) for part in release.split(".")[:2] if part.isdigit()]
    return not release or version >= [1, 9]
