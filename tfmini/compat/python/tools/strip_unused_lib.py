"""`tensorflow.python.tools.strip_unused_lib`: prunes a graph to the part between inputs and outputs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.gfile_functions import exists
from tfmini._src.formats.open_file import read_bytes
from tfmini._src.saved_model.graph_util.extract_sub_graph import extract_sub_graph

__all__ = ["strip_unused", "strip_unused_from_files"]


def strip_unused(
    input_graph_def: Any,
    input_node_names: Sequence[str],
    output_node_names: Sequence[str],
    placeholder_type_enum: Any,
) -> Any:
    """Returns a GraphDef whose inputs are placeholders, pruned to the nodes required by the outputs.

    Args:
      input_graph_def: a GraphDef.
      input_node_names: node names; these nodes become placeholders.
      output_node_names: node names.
      placeholder_type_enum: the number of the placeholders' dtype, or a list with a number per input.

    Raises:
      ValueError: if an input is a tensor name, such as "x:0".
      KeyError: if an input is not in the graph.
    """
    for name in input_node_names:
        if ":" in name:
            raise ValueError(f"Name '{name}' appears to refer to a Tensor, not a Operation.")
    missing = {*input_node_names} - {node.name for node in input_graph_def.node}
    if missing:
        raise KeyError(f"The following input nodes were not found: {missing}")
    types = placeholder_type_enum
    by_name = (
        dict(zip(input_node_names, types))
        if isinstance(types, list)
        else dict.fromkeys(input_node_names, types)
    )
    replaced = proto.GraphDef()
    for node in input_graph_def.node:
        added = replaced.node.add()
        if node.name not in by_name:
            added.CopyFrom(node)
            continue
        added.op, added.name = "Placeholder", node.name
        added.attr["dtype"].type = by_name[node.name]
        for key in ("_output_shapes", "shape"):
            if key in node.attr:
                added.attr[key].CopyFrom(node.attr[key])
    return extract_sub_graph(replaced, output_node_names)


def strip_unused_from_files(
    input_graph: str,
    input_binary: bool,
    output_graph: str,
    output_binary: bool,
    input_node_names: str,
    output_node_names: str,
    placeholder_type_enum: Any,
) -> int | None:
    """Runs `strip_unused` from one file to another; names are separated by commas. Returns -1 for missing arguments."""
    if not exists(input_graph):
        print(f"Input graph file '{input_graph}' does not exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    data = read_bytes(os.fsencode(input_graph))
    graph_def = proto.GraphDef()
    if input_binary:
        graph_def.ParseFromString(data)
    else:
        proto.parse_text(data.decode(), graph_def)
    inputs, outputs = input_node_names.split(","), output_node_names.split(",")
    stripped = strip_unused(graph_def, inputs, outputs, placeholder_type_enum)
    with atomic_write(output_graph) as file:
        file.write(stripped.SerializeToString() if output_binary else str(stripped).encode())
    print(f"{len(stripped.node)} ops in the final graph.")
    return None
