"""RunOptions and RunMetadata: what a caller may ask of one run, and what it gets back about it."""

from __future__ import annotations

from typing import Any

from tfmini import proto
from tfmini.graph.nodedef import node_def
from tfmini.runtime.plan import Plan


def check_options(options: Any, run_metadata: Any) -> None:
    """Raises TypeError unless both are the protos they should be, or None."""
    if options is not None and not isinstance(options, proto.RunOptions):
        raise TypeError(f"options must be a tf.RunOptions, but got {type(options)}")
    if run_metadata is not None and not isinstance(run_metadata, proto.RunMetadata):
        raise TypeError(f"run_metadata must be a tf.RunMetadata, but got {type(run_metadata)}")


def fill_metadata(options: Any, run_metadata: Any, plan: Plan) -> None:
    """Writes the partition graphs of a run, where `options.output_partition_graphs` asks for them."""
    run_metadata.Clear()
    if options is None or not options.output_partition_graphs:
        return
    partitions: dict[str, Any] = {}
    for node in plan.program.nodes:
        graph = partitions.get(node.device)
        if graph is None:
            graph = partitions[node.device] = run_metadata.partition_graphs.add()
        message = graph.node.add()
        message.CopyFrom(node_def(node.origin))
        message.device = node.device
