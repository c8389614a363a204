"""RunOptions and RunMetadata: what a caller may ask of one run, and what it gets back about it."""

from __future__ import annotations

from typing import Any

from tfmini import logs, proto
from tfmini.graph.nodedef import node_def
from tfmini.runtime.plan import Plan
from tfmini.runtime.waiting import WaitingPlan


def check_options(options: Any, run_metadata: Any) -> None:
    """Raises AttributeError for what is not the proto it should be."""
    if options is not None:
        options.SerializeToString()
    if run_metadata is not None:
        run_metadata.ParseFromString(b"")


def time_limit(options: Any) -> int:
    """The milliseconds that a step may take; 0 if `options` does not say."""
    return 0 if options is None else max(0, options.timeout_in_ms)


def fill_metadata(options: Any, run_metadata: Any, plan: Plan | WaitingPlan) -> None:
    """Writes the partition graphs of a run, where `options.output_partition_graphs` asks for them."""
    run_metadata.Clear()
    if options is not None and options.trace_level != proto.RunOptions.NO_TRACE:
        logs.log_first_n(
            logs.WARN,
            "RunOptions.trace_level: tfmini takes no times of single ops; `step_stats` of the RunMetadata stays empty. "
            "TFMINI_DEBUG=plan shows what a step runs, Python's profilers (cProfile) what takes its time.",
            1,
        )
    if options is None or not options.output_partition_graphs:
        return
    partitions: dict[str, Any] = {}
    for node in plan.program.nodes:
        if node.kind in ("copy", "send", "receive"):
            continue
        graph = partitions.get(node.device)
        if graph is None:
            graph = partitions[node.device] = run_metadata.partition_graphs.add()
        message = graph.node.add()
        message.CopyFrom(node_def(node.origin))
        message.device = node.device
