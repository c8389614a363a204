"""Default attrs of imported nodes."""

from __future__ import annotations

import functools

from tfmini._src.base import proto
from tfmini._src.graph import nodedef, op_registry
from tfmini._src.graph.graphdef.newer_nodes import drop_newer_attrs, rename_newer


def complete_node(node: proto.NodeDef) -> None:
    """Sets missing attrs of a NodeDef to their defaults, and converts newer nodes to TensorFlow 1.15.5's form."""
    rename_newer(node)
    opdef = op_registry.registry.get(node.op)
    if opdef is None:
        return
    attrs = node.attr
    for key, default in _default_values(opdef.name):
        if key not in attrs or attrs[key].WhichOneof("value") is None:
            attrs[key].CopyFrom(default)
    drop_newer_attrs(node, opdef)


@functools.cache
def _default_values(op_type: str) -> list[tuple[str, proto.AttrValue]]:
    attrs = op_registry.registry[op_type].attrs
    return [
        (key, nodedef.attr_value(attr.default, attr))
        for key, attr in attrs.items()
        if not attr.required
    ]
