"""Removal of pruning nodes from graphs, which turns masked weights into constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import logs, proto
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.tensor_proto import make_tensor_proto
from tfmini._src.saved_model.graph_util.convert_variables_to_constants import (
    convert_variables_to_constants,
)
from tfmini._src.saved_model.graph_util.extract_sub_graph import extract_sub_graph
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint
from tfmini._src.train.checkpoints.import_meta_graph import import_meta_graph


def strip_pruning_vars_fn(input_graph_def: proto.GraphDef, output_node_names: Sequence[str]) -> Any:
    """Converts a frozen graph's masked weights to constants, without masks and thresholds.

    Args:
      input_graph_def: a GraphDef without variables.
      output_node_names: names of the output nodes.

    Returns:
      A GraphDef.
    """
    values = _masked_weights(input_graph_def)
    stripped = proto.GraphDef()
    for node in input_graph_def.node:
        result = stripped.node.add()
        if node.name not in values:
            result.CopyFrom(node)
            continue
        result.op, result.name = "Const", node.name
        result.attr["dtype"].CopyFrom(node.attr["T"])
        result.attr["value"].tensor.CopyFrom(make_tensor_proto(values[node.name]))
    return extract_sub_graph(stripped, output_node_names)


def _masked_weights(graph_def: Any) -> dict[str, Any]:
    """Returns the values of the masked weights, by node name."""
    names = [node.name for node in graph_def.node if "masked_weight" in node.name]
    with Graph().as_default() as graph:
        import_graph_def(graph_def, name="")
        with Session(graph=graph) as session:
            values = {name: session.run(f"{name}:0") for name in names}
    for name, value in values.items():
        size = np.size(value)
        zeros = 100 - float(100 * np.count_nonzero(value)) / size
        logs.info("%s has %d values, %1.2f%% zeros \n", name, size, zeros)
    return values


def graph_def_from_checkpoint(checkpoint_dir: str, output_node_names: Sequence[str]) -> Any:
    """Freezes the graph of a directory's latest checkpoint, importing it into the default graph.

    Args:
      checkpoint_dir: directory of the checkpoint and its meta graph.
      output_node_names: names of the output nodes.

    Returns:
      A GraphDef.

    Raises:
      ValueError: if there is no checkpoint.
    """
    path = latest_checkpoint(checkpoint_dir)
    if path is None:
        raise ValueError(f"Could not find a checkpoint at: {checkpoint_dir}.")
    saver: Any = import_meta_graph(path + ".meta", clear_devices=True)
    with Session() as session:
        saver.restore(session, path)
        graph_def = get_default_graph().as_graph_def()
        return convert_variables_to_constants(session, graph_def, output_node_names)
