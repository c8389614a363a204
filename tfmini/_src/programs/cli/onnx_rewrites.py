"""Rewrites of graphs before their conversion to ONNX: replaces ops that ONNX composes of others."""

from __future__ import annotations

from tfmini._src.base import proto
from tfmini._src.base.dtypes import as_dtype
from tfmini._src.graph.tensor_proto import make_tensor_proto


def replace_erfc(graph_def: proto.GraphDef) -> proto.GraphDef:
    """Returns the graph with `1 - erf(x)` for `erfc(x)`, which the exact GELU contains."""
    rewritten = proto.GraphDef(versions=graph_def.versions, library=graph_def.library)
    for node in graph_def.node:
        if node.op != "Erfc":
            rewritten.node.append(node)
            continue
        dtype = node.attr["T"]
        one = proto.NodeDef(name=f"{node.name}/one", op="Const")
        one.attr["dtype"].CopyFrom(dtype)
        value = make_tensor_proto(1, as_dtype(dtype.type))
        one.attr["value"].tensor.CopyFrom(value)
        erf = proto.NodeDef(name=f"{node.name}/erf", op="Erf", input=node.input)
        erf.attr["T"].CopyFrom(dtype)
        difference = proto.NodeDef(name=node.name, op="Sub", input=[one.name, erf.name])
        difference.attr["T"].CopyFrom(dtype)
        rewritten.node.extend([one, erf, difference])
    return rewritten
