"""Node information that is not in the graph: operation counts and assigned types."""

from __future__ import annotations

import os
import sys
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.shapes import TensorShape
from tfmini._src.formats.gfile import FileIO
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.train.profiler.node_statistics import get_stats_for_node_def

TRAINABLE_VARIABLES = "_trainable_variables"


def merge_default_with_oplog(
    graph: Any = None,
    op_log: Any = None,
    run_meta: Any = None,
    add_trace: bool = True,
    add_trainable_var: bool = True,
) -> Any:
    """Merges the caller's OpLogProto with information from the graph.

    Args:
      graph: a `tf.Graph`; by default the default graph.
      op_log: the caller's OpLogProto.
      run_meta: a RunMetadata that supplies statically unknown shapes.
      add_trace: whether to include node creation lines.
      add_trainable_var: whether trainable variables get the type "_trainable_variables".
    """
    graph = get_default_graph() if graph is None else graph
    entries, strings = _entries(graph, run_meta, add_trace, add_trainable_var)
    for value in [] if op_log is None else op_log.log_entries:
        entry = entries.pop(value.name, None)
        if entry is not None:
            value.types.extend(entry.types)
            value.float_ops = value.float_ops or entry.float_ops
            if not value.code_def.traces:
                value.code_def.MergeFrom(entry.code_def)
    merged = proto.OpLogProto()
    merged.log_entries.extend([] if op_log is None else op_log.log_entries)
    merged.log_entries.extend(entries.values())
    for text, string_id in strings.items():
        merged.id_to_string[string_id] = text
    return merged


def _entries(
    graph: Any, run_meta: Any, add_trace: bool, add_trainable_var: bool
) -> tuple[dict[str, Any], dict[str, int]]:
    if run_meta is not None:
        _complete_shapes(graph, run_meta)
    entries: dict[str, Any] = {}
    strings = {"none": 0}
    unknown = 0
    for op in graph.get_operations():
        entry = proto.OpLogEntry(name=op.name)
        try:
            entry.float_ops = int(get_stats_for_node_def(graph, op.node_def, "flops").value or 0)
        except ValueError:
            unknown += 1
        if add_trace:
            for file, line, function, text, start in op.traceback_with_start_lines:
                entry.code_def.traces.add(
                    file_id=strings.setdefault(file, len(strings)),
                    lineno=line or -1,
                    function_id=strings.setdefault(function, len(strings)),
                    line_id=strings.setdefault(text, len(strings)) if text else 0,
                    func_start_line=start or -1,
                )
        if entry.float_ops or add_trace:
            entries[op.name] = entry
    if add_trainable_var:
        for variable in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES):
            name = variable.op.name
            entry = entries.setdefault(name, proto.OpLogEntry(name=name))
            entry.types.append(TRAINABLE_VARIABLES)
    if unknown and run_meta is None:
        sys.stderr.write(f"{unknown} ops no flops stats due to incomplete shapes.\n")
    return entries, strings


def _complete_shapes(graph: Any, run_meta: Any) -> None:
    """Sets unknown static shapes to the shapes observed in a step."""
    operations = {op.name: op for op in graph.get_operations()}
    for stats in (s for device in run_meta.step_stats.dev_stats for s in device.node_stats):
        op = operations.get(stats.node_name)
        if op is None or len(stats.output) != len(op.outputs):
            continue
        for tensor, output in zip(op.outputs, stats.output):
            if not tensor.get_shape().is_fully_defined():
                shape = TensorShape([dim.size for dim in output.tensor_description.shape.dim])
                try:
                    tensor.set_shape(tensor.get_shape().merge_with(shape))
                except ValueError as error:
                    sys.stderr.write(f"Node {op.name} incompatible shapes: {error}.\n")


def write_op_log(
    graph: Graph,
    log_dir: str,
    op_log: object = None,
    run_meta: proto.RunMetadata | None = None,
    add_trace: bool = True,
) -> None:
    """Writes information about a graph's nodes to the file `tfprof_log` in a directory.

    Args:
      graph: a `tf.Graph`; None for the default graph.
      log_dir: the directory.
      op_log: an OpLogProto to extend.
      run_meta: a RunMetadata that supplies statically unknown shapes.
      add_trace: whether to include node creation lines.

    Example: `tf.profiler.write_op_log(graph, "/tmp/log", run_meta=metadata)`
    """
    merged = merge_default_with_oplog(graph, op_log, run_meta, add_trace)
    with FileIO(os.path.join(log_dir, "tfprof_log"), "w") as file:
        file.write(merged.SerializeToString())
