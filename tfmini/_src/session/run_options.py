"""Runs steps with RunOptions, RunMetadata or program-wide tracing."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.executor import deadlines
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.tracing import recorder as notes, step_stats
from tfmini._src.graph.nodedef import node_def

if TYPE_CHECKING:
    from tfmini._src.executor.tracing.recorder import Recorder, Span
    from tfmini._src.executor.waiting_plan import WaitingPlan


def check_options(options: proto.RunOptions | None, run_metadata: proto.RunMetadata | None) -> None:
    """Raises AttributeError unless each argument is None or a proto."""
    if options is not None:
        options.SerializeToString()
    if run_metadata is not None:
        run_metadata.ParseFromString(b"")


def check_pool(options: proto.RunOptions | None, config: proto.ConfigProto | None) -> None:
    """Raises InvalidArgumentError if the options select an inter-op thread pool that the session lacks."""
    pools = 1 if config is None else len(config.session_inter_op_thread_pool) or 1
    if options is not None and not -1 <= options.inter_op_thread_pool < pools:
        invalid(f"Invalid inter_op_thread_pool: {options.inter_op_thread_pool}")


def requests_times(
    options: proto.RunOptions | None, run_metadata: proto.RunMetadata | None
) -> bool:
    """Whether to record node times in the run's metadata."""
    if run_metadata is None or options is None:
        return False
    return bool(options.trace_level != proto.RunOptions.NO_TRACE)


def has_costs(config: proto.ConfigProto | None, counts: Counter[Hashable], key: Hashable) -> bool:
    """Counts a run of a step; returns whether the config's cost-model interval selects it."""
    if config is None or config.graph_options.build_cost_model <= 0:
        return False
    counts[key] += 1
    run_count = counts[key] - int(config.graph_options.build_cost_model_after)
    return run_count > 0 and run_count % int(config.graph_options.build_cost_model) == 0


def execute(
    plan: Plan | WaitingPlan,
    values: Sequence[Any],
    limit: int,
    options: proto.RunOptions | None = None,
    spans: list[Span] | None = None,
) -> tuple[Any, ...]:
    """Runs a plan once; a nonzero `limit` is a timeout in milliseconds. A plan with a recorder appends to `spans`."""
    step: Callable[..., tuple[Any, ...]] = plan.run
    if options is not None and options.report_tensor_allocations_upon_oom:
        step = partial(step, reports_usage=True)
    if plan.recorder is not None and spans is not None:
        step = partial(_record_step, plan.recorder, spans, step)
    if not limit:
        return step(values)
    results: tuple[Any, ...] = deadlines.run_with_deadline(
        limit, plan.grace, plan.ends_soon, partial(step, streams=plan.callers_streams()), values
    )
    return results


def _record_step(
    recorder: Recorder,
    spans: list[Span],
    step: Callable[..., tuple[Any, ...]],
    *args: object,
    **extra: object,
) -> tuple[Any, ...]:
    with recorder.collect_into(spans):
        return step(*args, **extra)


def fill_metadata(
    options: proto.RunOptions | None,
    run_metadata: proto.RunMetadata,
    plan: Plan | WaitingPlan,
    spans: list[Span] | None,
    costs: bool = False,
) -> None:
    """Fills a run's metadata: times if `spans` is not None, costs if `costs`, and the requested partition graphs."""
    run_metadata.Clear()
    if spans is not None:
        run_metadata.step_stats.CopyFrom(step_stats.step_stats(spans or _constant_spans(plan)))
        if costs:
            run_metadata.cost_graph.CopyFrom(step_stats.cost_graph(spans))
    if options is None or not options.output_partition_graphs:
        return
    partitions: dict[str, proto.GraphDef] = {}
    for node in plan.program.nodes:
        if node.kind in ("copy", "send", "receive"):
            continue
        graph = partitions.get(node.device)
        if graph is None:
            graph = partitions[node.device] = run_metadata.partition_graphs.add()
        message = graph.node.add()
        message.CopyFrom(node_def(node.origin))
        message.device = node.device


def _constant_spans(plan: Plan | WaitingPlan) -> list[Span]:
    """Returns the spans for a step that only fetches constants."""
    now, thread = notes.clock(), threading.get_ident()
    nodes = [node for node in plan.program.nodes if node.kind == "const"]
    return [notes.Span(node, now, now, thread, ()) for node in nodes]
