"""Meta graph export: writes a graph, its collections and its SaverDef to a MetaGraphDef."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import proto, version
from tfmini._src.graph import nodedef, op_registry, stack_traces
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.collection_defs import (
    UNBOUND_INPUT,
    add_collection_def,
    is_exported,
)
from tfmini._src.graph.graphdef.collection_protos import proto_functions
from tfmini._src.graph.prefixes import prepend_name_scope, strip_name_scope
from tfmini._src.train.meta_graph.write_graph import write_graph

_SAVER_OPS = frozenset(
    "SaveV2 Save SaveSlice LegacySave LegacySaveSlice"
    " RestoreV2 Restore RestoreSlice LegacyRestore LegacyRestoreSlice".split()
)
_MAX_BYTES = 1 << 31  # protobuf's limit for a message

_LINES_INSIDE, _MAX_LINES = 2, 10  # line limits of a stack in a GraphDebugInfo


def export_meta_graph(
    filename: str | None = None,
    meta_info_def: proto.MetaGraphDef.MetaInfoDef | None = None,
    graph_def: proto.GraphDef | None = None,
    saver_def: proto.SaverDef | None = None,
    collection_list: Sequence[str] | None = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> Any:
    """Exports a graph with its collections as a MetaGraphDef.

    Args:
      filename: file to write to, or None.
      meta_info_def: initial MetaInfoDef, with tags for example.
      graph_def: nodes to export instead of the nodes of `graph`.
      saver_def: a SaverDef, which contains the names of the save and restore nodes.
      collection_list: keys of the collections to export, by default all.
      as_text: whether to write the protobuf text format.
      graph: the graph, by default the default graph.
      export_scope: the only name scope to export, with names relative to it; None for all.
      clear_devices: whether to omit the devices of nodes.
      clear_extraneous_savers: whether to omit nodes and collections of savers other than the saver of `saver_def`.
      strip_default_attrs: whether to omit attrs with default values, so that older versions can read the graph.
      save_debug_info: whether to write node creation sites to NAME.debug next to the file.
      **kwargs: `unbound_inputs_col_name`: collection for input names from outside `export_scope`, by default
        "unbound_inputs".

    Returns:
      The MetaGraphDef.

    Raises:
      TypeError: for unsupported argument types.
      ValueError: for unknown op types, or nodes larger than 2 GB.

    Example: `tf.train.export_meta_graph("/tmp/model.meta", as_text=True)`.
    """
    arguments = locals()
    arguments |= arguments.pop("kwargs")
    require_graph_mode(
        "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph exists when eager "
        "execution is enabled."
    )
    return export_scoped_meta_graph(**arguments)[0]


def export_scoped_meta_graph(
    filename: str | None = None,
    graph_def: Any = None,
    graph: Any = None,
    export_scope: str | None = None,
    as_text: bool = False,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    clear_devices: bool = False,
    saver_def: Any = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> tuple[Any, dict[str, Any]]:
    """Same as `export_meta_graph`, but also returns the variables by name."""
    graph = graph or get_default_graph()
    exclude: set[str] | None = None
    if export_scope or clear_extraneous_savers or clear_devices:
        full = graph_def or _full_graph_def(graph)
        if clear_extraneous_savers:
            exclude = _other_saver_nodes(full, saver_def)
        part, unbound = _scope_nodes(full, export_scope, exclude, clear_devices)
        if graph_def:
            part.library.SetInParent()  # present even if empty, as in TensorFlow
        graph_def = part
        if unbound_inputs_col_name:
            graph.clear_collection(unbound_inputs_col_name)
            for name in unbound:
                graph.add_to_collection(unbound_inputs_col_name, name)
    variables = {
        strip_name_scope(variable.name, export_scope): variable
        for variable in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=export_scope)
        if is_exported(variable, export_scope, exclude)
    }
    meta_graph_def = create_meta_graph_def(
        graph_def=graph_def,
        graph=graph,
        export_scope=export_scope,
        exclude_nodes=exclude,
        clear_extraneous_savers=clear_extraneous_savers,
        saver_def=saver_def,
        strip_default_attrs=strip_default_attrs,
        **kwargs,
    )
    if filename:
        directory, name = os.path.split(filename)
        write_graph(meta_graph_def, directory, name, as_text=as_text)
        if save_debug_info:
            positions = _debug_info(graph, meta_graph_def, export_scope)
            name = os.path.splitext(name)[0] + ".debug"
            write_graph(positions, directory, name, as_text=as_text)
    return meta_graph_def, variables


def _full_graph_def(graph: Any) -> Any:
    """Returns the GraphDef of all nodes, with static shapes and control inputs in creation order."""
    message = proto.GraphDef(versions=graph.graph_def_versions)
    for op in graph.get_operations():
        node = message.node.add()
        node.CopyFrom(op.node_def)
        if op.outputs:
            shapes = [nodedef.shape_proto(tensor.shape) for tensor in op.outputs]
            node.attr["_output_shapes"].list.shape.extend(shapes)
    nodedef.write_library(graph, message, add_shapes=True)
    return message


def _scope_nodes(
    graph_def: Any, export_scope: str | None, exclude: set[str] | None, clear_devices: bool
) -> tuple[Any, list[str]]:
    """Returns the nodes of a scope with names relative to it, and their inputs from outside."""
    unbound: list[str] = []
    part = proto.GraphDef(versions=graph_def.versions)
    for node in graph_def.node:
        if is_exported(node.name, export_scope, exclude):
            new_node = part.node.add()
            new_node.CopyFrom(node)
            if export_scope:
                _strip_scope(new_node, export_scope, unbound)
            if clear_devices:
                new_node.device = ""
    if graph_def.HasField("library"):
        part.library.CopyFrom(graph_def.library)
    if part.ByteSize() >= _MAX_BYTES:
        raise ValueError("GraphDef cannot be larger than 2GB.")
    return part, unbound


def _strip_scope(node: Any, scope: str, unbound: list[str]) -> None:
    """Strips `scope` from all names in a NodeDef."""
    for index, name in enumerate(node.input):
        if name.lstrip("^").startswith(scope):
            node.input[index] = strip_name_scope(name, scope)
        else:
            node.input[index] = re.sub(r"([\^]|^)(.*)", rf"\1{UNBOUND_INPUT}\2", name, count=1)
            unbound.append(node.input[index])
    node.name = strip_name_scope(node.name, scope)
    if "_class" in node.attr:
        groups = [group.decode() for group in node.attr["_class"].list.s]
        selected = [group for group in groups if group.split("@")[1].startswith(scope)]
        names = [strip_name_scope(group, scope).encode() for group in selected]
        node.attr["_class"].CopyFrom(proto.AttrValue(list={"s": names}))
    if node.op in ("Enter", "RefEnter") and "frame_name" in node.attr:
        frame = node.attr["frame_name"].s.decode()
        node.attr["frame_name"].s = strip_name_scope(frame, scope).encode()


def _op_name(name: str) -> str:
    if not name:
        raise ValueError("Tensor name cannot be empty or None.")
    return name.removeprefix("^").partition(":")[0]


def _other_saver_nodes(graph_def: Any, saver_def: Any) -> set[str]:
    """Returns the nodes in the scopes of all savers other than the saver of `saver_def`."""
    own_scopes: set[str] = set()
    if saver_def is not None:
        names = (_op_name(saver_def.restore_op_name), _op_name(saver_def.save_tensor_name))
        own_scopes = {name.rpartition("/")[0] + "/" for name in names}
    nodes = {node.name for node in graph_def.node if node.op in _SAVER_OPS}
    scopes = {name.rpartition("/")[0] for name in nodes} - nodes
    other_scopes = tuple({scope + "/" for scope in scopes} - own_scopes)
    return {node.name for node in graph_def.node if node.name.startswith(other_scopes)}


def create_meta_graph_def(
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    graph: Any = None,
    export_scope: str | None = None,
    exclude_nodes: set[str] | None = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
) -> Any:
    """Returns the MetaGraphDef of selected nodes and the collections of the graph, by default the current one."""
    _check_type("graph", graph, Graph, "Graph")
    _check_type("meta_info_def", meta_info_def, proto.MetaGraphDef.MetaInfoDef, "MetaInfoDef")
    _check_type("graph_def", graph_def, proto.GraphDef, "GraphDef")
    _check_type("saver_def", saver_def, proto.SaverDef, "SaverDef")
    graph = graph or get_default_graph()
    if not meta_info_def:
        meta_info_def = proto.MetaGraphDef.MetaInfoDef()
    meta_info_def.tensorflow_version = version.VERSION
    meta_info_def.tensorflow_git_version = version.GIT_VERSION
    message = proto.MetaGraphDef(meta_info_def=meta_info_def)
    message.graph_def.MergeFrom(graph_def or graph.as_graph_def(add_shapes=True))
    op_list = message.meta_info_def.stripped_op_list
    if not op_list.op:
        op_list.SetInParent()
        op_list.op.extend(used_op_defs(message.graph_def))
    if strip_default_attrs:
        _strip_default_attrs(message)
    if saver_def:
        message.saver_def.MergeFrom(saver_def)
    keys = graph.get_all_collection_keys() if collection_list is None else collection_list
    for key in keys:
        contents = None
        if clear_extraneous_savers and key == GraphKeys.SAVERS:
            contents = [proto_functions(key).from_proto(saver_def)]  # type: ignore[misc]
        add_collection_def(message, key, graph, export_scope, exclude_nodes, contents)
    return message


def _check_type(name: str, value: Any, expected: type, type_name: str) -> None:
    if value and not isinstance(value, expected):
        raise TypeError(f"{name} must be of type {type_name}, not %s", type(value))


def used_op_defs(graph_def: Any) -> list[Any]:
    """Returns the OpDefs of the ops in a GraphDef and its functions, sorted by name."""
    functions = {function.signature.name: function for function in graph_def.library.function}
    used = {node.op for node in graph_def.node}
    function_names = [name for name in used if name in functions]
    while function_names:
        new = {node.op for node in functions[function_names.pop()].node_def} - used
        used |= new
        function_names += [name for name in new if name in functions]
    op_defs = []
    for name in sorted(used - set(functions)):
        if name in op_registry.registry:
            op_defs.append(_op_def(name))
        elif name not in ("_Arg", "_Retval", "_ListToArray", "_ArrayToList"):
            raise ValueError(f"Op {name} is used by the graph, but is not registered")
    return op_defs


@functools.cache
def _op_def(name: str) -> Any:
    return nodedef.op_def(op_registry.registry[name])


def _strip_default_attrs(message: Any) -> None:
    """Removes attrs with default values from all nodes, including nodes in function bodies."""
    message.meta_info_def.stripped_default_attrs = True
    functions = message.graph_def.library.function
    library_names = {function.signature.name for function in functions}
    for node in (
        *message.graph_def.node,
        *(node for function in functions for node in function.node_def),
    ):
        if node.op in library_names or node.op not in op_registry.registry:
            continue
        for attr in _op_def(node.op).attr:
            if attr.HasField("default_value") and attr.name in node.attr:
                if node.attr[attr.name] == attr.default_value:
                    del node.attr[attr.name]


def _debug_info(graph: Any, meta_graph_def: Any, export_scope: str | None) -> Any:
    """Returns the node creation sites as a GraphDebugInfo, with stacks that begin two frames inside tfmini."""
    message = proto.GraphDebugInfo()
    files: dict[str, int] = {}
    for node in meta_graph_def.graph_def.node:
        op = graph.get_operation_by_name(prepend_name_scope(node.name, export_scope))
        trace = message.traces[op.name]
        stack = stack_traces.locations(op._frames)[::-1]
        user = stack_traces.user_location(op._frames)
        inner = max(stack.index(user) - _LINES_INSIDE, 0) if user else 0
        for frame in stack[inner : inner + _MAX_LINES]:
            index = files.setdefault(frame.filename, len(files))
            trace.file_line_cols.add(file_index=index, line=frame.lineno)
    message.files.extend(files)
    return message
