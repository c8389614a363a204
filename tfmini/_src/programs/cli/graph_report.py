"""`inspect` on graphs, with or without collections: inputs and outputs, ops, devices, variables."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tfmini._src.graph.opdef import makes_variable, registry
from tfmini._src.programs.cli.graph_shapes import inferred_shapes
from tfmini._src.programs.cli.reports import (
    Report,
    Section,
    amount,
    count_text,
    dtype_name,
    first_rows,
    shape_dims,
    shape_text,
    tensor_bytes,
)
from tfmini._src.saved_model.graph_outputs import (
    PLACEHOLDERS,
    nodes_without_results,
    unread_nodes,
)

_PLACEHOLDERS_WITHOUT_SHAPES = (
    21  # last producer version whose placeholders have shape [] for unknown
)
_MIN_LISTED_BYTES = 1024
_ROLES = ("input", "output", "variable", "constant")
_MAX_ROWS = 20


def list_graph(path: str, graph_def: Any) -> Report:
    """Describes a GraphDef, such as a frozen graph."""
    items, facts, sections = describe(graph_def)
    return Report("graph", path, items, _summary(graph_def), sections, facts)


def list_meta_graph(path: str, meta_graph_def: Any) -> Report:
    """Describes a MetaGraphDef: its graph, collections, and saver."""
    graph_def = meta_graph_def.graph_def
    items, facts, sections = describe(graph_def)
    meta_info = meta_graph_def.meta_info_def
    collections = [
        (name, (kind := value.WhichOneof("kind")), len(getattr(value, kind).value) if kind else 0)
        for name, value in sorted(meta_graph_def.collection_def.items())
    ]
    facts |= {
        "tensorflow_version": meta_info.tensorflow_version,
        "tags": list(meta_info.tags),
        "collections": {name: count for name, _, count in collections},
    }
    lines = _summary(graph_def)
    if meta_info.tensorflow_version:
        lines.append(f"written by TensorFlow {meta_info.tensorflow_version}")
    if meta_graph_def.HasField("saver_def"):
        saver = meta_graph_def.saver_def
        facts["saver"] = {
            "filename": saver.filename_tensor_name,
            "save": saver.save_tensor_name,
            "restore": saver.restore_op_name,
        }
        lines.append(f"saved by {saver.save_tensor_name}, restored by {saver.restore_op_name}")
    if collections:
        rows = [(name, kind or "-", count) for name, kind, count in collections]
        sections.append(Section("collections", ("name", "kind", "entries"), rows))
    return Report("meta_graph", path, items, lines, sections, facts)


def missing_ops(graph_def: Any) -> list[str]:
    """Returns the ops that tfmini lacks, sorted."""
    library = graph_def.library.function
    function_names = {function.signature.name for function in library}
    nodes = [graph_def.node, *(function.node_def for function in library)]
    used = {n.op for node_list in nodes for n in node_list} - function_names
    return sorted(op_type for op_type in used if op_type not in registry)


def _summary(graph_def: Any) -> list[str]:
    text = count_text(len(graph_def.node), "node")
    if graph_def.library.function:
        text += f", {count_text(len(graph_def.library.function), 'function')}"
    missing = missing_ops(graph_def)
    lines = [f"{text}, {amount(graph_def.ByteSize())}"]
    return [*lines, f"ops that tfmini lacks: {', '.join(missing)}"] if missing else lines


def describe(graph_def: Any) -> tuple[list[dict[str, Any]], dict[str, Any], list[Section]]:
    """Returns the main nodes, properties and tables of a GraphDef."""
    unread = set(unread_nodes(graph_def))
    items = [
        _item(node, role) for node in graph_def.node if (role := _role(node, unread)) is not None
    ]
    if graph_def.versions.producer <= _PLACEHOLDERS_WITHOUT_SHAPES:
        for item in items:
            if item["op"] == "Placeholder" and item["shape"] == []:
                item["shape"] = item["bytes"] = None
    without_results = nodes_without_results(graph_def)
    items.sort(key=lambda item: (_ROLES.index(item["role"]), item["name"] in without_results))
    if any(item["shape"] is None for item in items):
        _add_shapes(items, inferred_shapes(graph_def))
    ops = Counter(node.op for node in graph_def.node)
    devices = Counter(node.device for node in graph_def.node)
    missing = missing_ops(graph_def)
    sections = [_nodes(items, role) for role in _ROLES if any(i["role"] == role for i in items)]
    common = ops.most_common()
    sections.append(
        Section("ops", ("op", "nodes", "here"), [(o, n, o not in missing) for o, n in common])
    )
    if set(devices) - {""}:
        rows = [(name or "(none)", count) for name, count in sorted(devices.items())]
        sections.append(Section("devices", ("device", "nodes"), rows))
    facts = {
        "nodes": len(graph_def.node),
        "functions": [function.signature.name for function in graph_def.library.function],
        "ops": dict(sorted(ops.items())),
        "missing_ops": missing,
        "devices": dict(sorted(devices.items())),
        "producer": graph_def.versions.producer,
    }
    return items, facts, sections


def _nodes(items: list[dict[str, Any]], role: str) -> Section:
    selected = [item for item in items if item["role"] == role]
    title = f"{role}s"
    if role == "constant":
        title = f"constants of {_MIN_LISTED_BYTES} bytes and more"
        selected.sort(key=lambda item: -(item["bytes"] or 0))
    rows = [(i["name"], i["op"], i["dtype"], shape_text(i["shape"]), i["bytes"]) for i in selected]
    return first_rows(title, ("name", "op", "dtype", "shape", "bytes"), rows, _MAX_ROWS)


def _role(node: Any, unread: set[str]) -> str | None:
    if node.op in PLACEHOLDERS:
        return "input"
    if makes_variable(node.op):
        return "variable"
    if node.op == "Const":
        return "constant" if node.attr["value"].tensor.ByteSize() >= _MIN_LISTED_BYTES else None
    return "output" if node.name in unread else None


def _item(node: Any, role: str) -> dict[str, Any]:
    dims = _node_dims(node)
    dtype = _dtype(node)
    return {
        "name": node.name,
        "role": role,
        "op": node.op,
        "dtype": dtype,
        "shape": dims,
        "bytes": None if dtype is None else tensor_bytes(dtype, dims),
        "device": node.device,
    }


def _add_shapes(items: list[dict[str, Any]], shapes: dict[str, Any]) -> None:
    for item in items:
        if item["shape"] is None and item["name"] in shapes:
            item["shape"] = shapes[item["name"]]
            if item["dtype"] is not None:
                item["bytes"] = tensor_bytes(item["dtype"], item["shape"])


def _dtype(node: Any) -> str | None:
    """Returns the dtype of a node's first output."""
    opdef = registry.get(node.op)
    if opdef and opdef.outputs:
        output = opdef.outputs[0]
        if output.dtype is not None:
            return output.dtype.name
        if output.type_attr in node.attr:
            return dtype_name(node.attr[output.type_attr].type)
    return next(
        (dtype_name(node.attr[n].type) for n in ("dtype", "T", "out_type") if n in node.attr), None
    )


def _node_dims(node: Any) -> list[int | None] | None:
    if node.op == "Const":
        return shape_dims(node.attr["value"].tensor.tensor_shape)
    if (node.op in PLACEHOLDERS or makes_variable(node.op)) and "shape" in node.attr:
        return shape_dims(node.attr["shape"].shape)
    shapes = node.attr["_output_shapes"].list.shape if "_output_shapes" in node.attr else ()
    return shape_dims(shapes[0]) if shapes else None
