"""Looks up or compiles the plan of a session's step."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tfmini._src.compiler.passes.insert_copies import HOST_MEMORIES, Memories
from tfmini._src.compiler.pipeline import Shapes
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.tracing import recorder as notes
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.fetches import Fetches
from tfmini._src.session.plan_cache import Compiled
from tfmini._src.session.tensor_handles import resolve_handles

if TYPE_CHECKING:
    from tfmini._src.executor.tracing.recorder import Recorder
    from tfmini._src.executor.waiting_plan import WaitingPlan
    from tfmini._src.session.base_session import BaseSession

# Limits on runs and shape sets per plan; see plan_for_shapes.
_MIN_RUNS, _MAX_SHAPES = 16, 8


def find_step(
    session: BaseSession,
    key: Hashable,
    fetches: object,
    feeds: list[Tensor],
    feed_devices: tuple[str, ...],
    timed: bool,
) -> Compiled:
    """Finds the plan in the older half of the cache, else compiles it; caches it unless `key` is None."""
    step = None if key is None else session._steps.promote(key)
    if step is None:
        recorder = notes.Recorder() if timed else None
        step = compile_step(session, fetches, feeds, Memories(feed_devices), recorder)
        if key is not None:
            session._steps.keep(key, step)
    elif session._graph.version != session._version:
        with session._lock:
            session._place_new_nodes()
    return step


def plan_for_shapes(
    session: BaseSession,
    plan: Plan | WaitingPlan,
    resolved: Fetches,
    pairs: Sequence[tuple[Tensor, object]],
) -> Plan | WaitingPlan:
    """Returns the plan specialized to the shapes of the feeds, else the general plan.

    The specialized plan is compiled once the number of runs with these shapes amortizes its compilation.
    """
    plans = plan.by_shapes
    assert plans is not None
    # Strings have no shape attribute.
    shapes: Shapes = tuple([getattr(value, "shape", ()) for _, value in pairs])
    plan_or_runs = plans.get(shapes, 0)
    if not isinstance(plan_or_runs, int):
        return plan_or_runs
    if plan_or_runs < max(_MIN_RUNS, len(plan.program.nodes)):
        if plan_or_runs or len(plans) < _MAX_SHAPES:
            plans[shapes] = plan_or_runs + 1
        return plan
    with session._lock:
        specialized = _compile(
            session, resolved, [t for t, _ in pairs], HOST_MEMORIES, None, shapes
        )
    assert isinstance(specialized, Plan)  # like the general plan
    specialized.by_shapes = None
    plans[shapes] = specialized
    return specialized


def compile_step(
    session: BaseSession,
    fetches: object,
    feeds: list[Tensor],
    memories: Memories = HOST_MEMORIES,
    recorder: Recorder | None = None,
) -> Compiled:
    """Compiles a plan; returns it with the resolved fetches."""
    resolved = Fetches(session._graph, fetches)
    fed = set(feeds)
    resolved.fetched_feeds = [i for i, t in enumerate(resolved.tensors) if t in fed]
    resolve_handles(session, resolved, fed)
    resolved.convert_handles()
    with session._lock:
        session._place_new_nodes()
        if session._remote is not None:
            return session._remote.step(resolved.tensors, feeds, resolved.targets), resolved
        return _compile(session, resolved, feeds, memories, recorder), resolved


def _compile(
    session: BaseSession,
    resolved: Fetches,
    feeds: list[Tensor],
    memories: Memories = HOST_MEMORIES,
    recorder: Recorder | None = None,
    *shapes: Shapes,
) -> Plan | WaitingPlan:
    inlined = session._inlined_graph
    return compile_plan(
        [inlined.tensor(tensor) for tensor in resolved.tensors],
        [inlined.tensor(tensor) for tensor in feeds],
        [inlined.operation(op) for op in resolved.targets],
        session._resources,
        session._placement,
        session._devices,
        memories,
        recorder,
        *shapes,
    )
