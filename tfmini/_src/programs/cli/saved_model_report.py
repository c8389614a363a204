"""`inspect` on a SavedModel: its signatures, and the ops its graphs use."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base.errors import OpError
from tfmini._src.formats.bundle_recovery import open_bundle
from tfmini._src.programs.cli.checkpoint_report import Checkpoint
from tfmini._src.programs.cli.graph_report import missing_ops
from tfmini._src.programs.cli.reports import (
    Report,
    Section,
    amount,
    count_text,
    dtype_name,
    shape_dims,
    shape_text,
)


def list_saved_model(path: str, saved_model: Any) -> Report:
    """Lists the signatures of all graphs, and the variables if `path` is the model's directory."""
    items, lines, graphs, error_text = [], [], [], ""
    for meta_graph in saved_model.meta_graphs:
        tags = list(meta_graph.meta_info_def.tags)
        missing = missing_ops(meta_graph.graph_def)
        nodes = len(meta_graph.graph_def.node)
        graphs.append({"tags": tags, "nodes": nodes, "missing_ops": missing})
        lines.append(f"graph {', '.join(tags) or 'without tags'}: {count_text(nodes, 'node')}")
        if missing:
            lines.append(f"ops that tfmini lacks: {', '.join(missing)}")
        items += _signatures(tags, meta_graph)
    facts: dict[str, Any] = {"graphs": graphs, "variables": None, "assets": []}
    if os.path.isdir(path):
        try:
            facts["variables"] = _variables(path)
        except OpError as error:
            error_text = error.message
        if facts["variables"]:
            count, size = facts["variables"]["tensors"], facts["variables"]["bytes"]
            lines.append(f"variables: {count_text(count, 'tensor')}, {amount(size)}")
        assets = os.path.join(path, "assets")
        facts["assets"] = sorted(os.listdir(assets)) if os.path.isdir(assets) else []
        lines += [f"asset: {name}" for name in facts["assets"]]
    sections = []
    for signature, method in dict.fromkeys((i["signature"], i["method"]) for i in items):
        rows = [
            (i["role"], i["name"], i["tensor"], i["dtype"], shape_text(i["shape"]))
            for i in items
            if (i["signature"], i["method"]) == (signature, method)
        ]
        title = f"signature {signature}, {method or 'without a method'}"
        sections.append(Section(title, ("role", "name", "tensor", "dtype", "shape"), rows))
    return Report("saved_model", path, items, lines, sections, facts, error_text)


def _signatures(tags: list[str], meta_graph: Any) -> list[dict[str, Any]]:
    signatures = []
    for name, signature in sorted(meta_graph.signature_def.items()):
        for role, tensors in (("input", signature.inputs), ("output", signature.outputs)):
            for key, info in sorted(tensors.items()):
                encoding = info.WhichOneof("encoding")
                signatures.append(
                    {
                        "name": key,
                        "role": role,
                        "signature": name,
                        "method": signature.method_name,
                        "tags": tags,
                        "tensor": info.coo_sparse.values_tensor_name
                        if encoding == "coo_sparse"
                        else info.name,
                        "dtype": dtype_name(info.dtype),
                        "shape": shape_dims(info.tensor_shape),
                    }
                )
    return signatures


def _variables(path: str) -> dict[str, int] | None:
    prefix = os.path.join(path, "variables", "variables")
    if not os.path.exists(f"{prefix}.index"):
        return None
    checkpoint = Checkpoint(open_bundle(prefix))
    return {"tensors": len(checkpoint.sizes), "bytes": checkpoint.bytes}
