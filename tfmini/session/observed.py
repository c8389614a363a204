"""Steps that are asked for more than their results: by RunOptions, a RunMetadata, or a trace of the whole program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini import proto
from tfmini.graph.nodedef import node_def
from tfmini.runtime.deadlines import within
from tfmini.runtime.plan import Plan
from tfmini.runtime.tracing.recorder import Recorder, Span
from tfmini.runtime.tracing.step_stats import cost_graph, step_stats
from tfmini.runtime.waiting import WaitingPlan


def check_options(options: Any, run_metadata: Any) -> None:
    """Raises AttributeError for what is not the proto it should be."""
    if options is not None:
        options.SerializeToString()
    if run_metadata is not None:
        run_metadata.ParseFromString(b"")


def wants_times(options: Any, run_metadata: Any, config: Any) -> bool:
    """Whether the metadata of a run shall hold its times: the options say so, or the config has cost models."""
    if run_metadata is None:
        return False
    if config is not None and config.graph_options.build_cost_model > 0:
        return True
    return options is not None and options.trace_level != proto.RunOptions.NO_TRACE


def execute(
    plan: Plan | WaitingPlan,
    values: Any,
    limit: int,
    options: Any = None,
    spans: list[Span] | None = None,
) -> tuple:
    """One run of a plan, in `limit` milliseconds if it is not 0; a plan with a recorder notes it in `spans`."""
    step: Callable[..., tuple] = plan.run
    if options is not None and options.report_tensor_allocations_upon_oom:
        step = partial(step, reports_usage=True)
    if plan.recorder is not None and spans is not None:
        step = partial(_noted, plan.recorder, spans, step)
    if not limit:
        return step(values)
    return within(limit, partial(step, streams=plan.callers_streams()), values)


def _noted(
    recorder: Recorder, spans: list[Span], step: Callable[..., tuple], *args: Any, **more: Any
) -> tuple:
    with recorder.into(spans):
        return step(*args, **more)


def fill_metadata(
    options: Any,
    run_metadata: Any,
    plan: Plan | WaitingPlan,
    spans: list[Span] | None,
    config: Any,
) -> None:
    """Writes what is known of a run: its times, its costs, its partition graphs, as options and config ask for."""
    run_metadata.Clear()
    if spans is not None:
        run_metadata.step_stats.CopyFrom(step_stats(spans))
        if config is not None and config.graph_options.build_cost_model > 0:
            run_metadata.cost_graph.CopyFrom(cost_graph(spans))
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
