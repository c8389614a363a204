"""Frozen graphs that are fed with features instead of serialized tf.Examples."""

from __future__ import annotations

import re

from tfmini._src.base import proto
from tfmini._src.saved_model.frozen_graph import Frozen
from tfmini._src.saved_model.graph_util.extract_sub_graph import extract_sub_graph

_FIRST_KEY = 2  # inputs of the op that precede its keys: the examples and their names


def replace_parse_example(frozen: Frozen) -> Frozen:
    """Replaces the ParseExample of a graph with placeholders named after the features.

    Returns:
      A new graph, or `frozen` itself if it has no ParseExample, the outputs are already fed, or features
      are sparse.
    """
    values = {name.partition(":")[0] for name in frozen.inputs}
    graph_def = proto.GraphDef.FromString(frozen.graph_def.SerializeToString())
    parsers = {node.name: node for node in graph_def.node if node.op == "ParseExample"}
    if not parsers or values & set(parsers):
        return frozen
    nodes = {node.name: node for node in graph_def.node}
    results: dict[str, str] = {}  # placeholders by tensor
    for node in list(graph_def.node):
        for index, tensor in enumerate(node.input):
            name, _, port = tensor.partition(":")
            if name not in parsers:
                continue
            if tensor not in results:
                dense_index = int(port or 0) - 3 * parsers[name].attr["Nsparse"].i
                if dense_index < 0:
                    return frozen
                placeholder = _placeholder(parsers[name], dense_index, nodes)
                nodes[placeholder.name] = placeholder
                graph_def.node.append(placeholder)
                results[tensor] = placeholder.name
            node.input[index] = results[tensor]
    outputs = [name.partition(":")[0] for name in frozen.outputs]
    retained = extract_sub_graph(graph_def, outputs)
    remaining = {node.name for node in retained.node}
    inputs = [name for name in frozen.inputs if name.partition(":")[0] in remaining]
    return Frozen(retained, inputs + [f"{name}:0" for name in results.values()], frozen.outputs)


def _placeholder(
    parser: proto.NodeDef, index: int, nodes: dict[str, proto.NodeDef]
) -> proto.NodeDef:
    """Returns a placeholder for a dense feature, with a leading batch dimension."""
    source = parser.input[_FIRST_KEY + parser.attr["Nsparse"].i + index].partition(":")[0]
    key = nodes[source].attr["value"].tensor.string_val[0].decode("utf-8", "replace")
    name = re.sub(r"[^\w./-]|^[^A-Za-z0-9.]", "_", key)
    node_def = proto.NodeDef(name=f"features/{name}" if name in nodes else name, op="Placeholder")
    node_def.attr["dtype"].type = parser.attr["Tdense"].list.type[index]
    shape = node_def.attr["shape"].shape
    shape.dim.add(size=-1)
    shape.dim.extend(parser.attr["dense_shapes"].list.shape[index].dim)
    return node_def
