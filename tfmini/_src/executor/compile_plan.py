"""compile_plan: compiles a step's fetches and feeds into a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfmini._src.base import garbage_collection
from tfmini._src.compiler.passes.insert_copies import HOST_MEMORIES, Memories
from tfmini._src.compiler.pipeline import Shapes, Target, measures_arrays, optimize, structure
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.compiler.program.graph_order import reachable
from tfmini._src.compiler.program.validate import Validator
from tfmini._src.executor import schedule, waiting_plan
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.state.resources import Resources
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.devices.device import Devices
    from tfmini._src.executor.tracing.recorder import Recorder
    from tfmini._src.executor.waiting_plan import WaitingPlan


@garbage_collection.pause_collection()
def compile_plan(
    fetches: Sequence[Tensor],
    feeds: Sequence[Tensor],
    targets: Sequence[Operation],
    resources: Resources,
    placement: Placement,
    devices: Devices,
    memories: Memories = HOST_MEMORIES,
    recorder: Recorder | None = None,
    shapes: Shapes = (),
) -> Plan | WaitingPlan:
    """Compiles the plan that computes `fetches` (tensors) and runs `targets` (operations), given `feeds` (tensors).

    A `recorder` records node times of each run. `shapes`, the shapes of all feeds, specialize the plan to them.
    """
    target = Target(placement, devices, memories, shapes)
    validator = Validator()
    program = structure(fetches, feeds, targets, target, validator)
    waits = any(node.may_wait for node in program.nodes)
    if not waits and sum(node.opdef.calls_python for node in program.nodes) < 2:
        program = optimize(program, target, validator)
        program.shares_fetches = memories.is_shared
        plan = Plan(program, resources, recorder)
        is_open = any(tensor._dims is None or None in tensor._dims for tensor in feeds)
        if (
            is_open
            and recorder is None
            and not devices
            and any(map(measures_arrays, program.nodes))
        ):
            plan.by_shapes = {}
        return plan
    needed = reachable(fetches, feeds, targets)
    calls = schedule.concurrent_calls(program, needed, feeds)
    if not waits and not calls:
        return Plan(optimize(program, target, validator), resources, recorder)
    parts = schedule.schedule(program, needed, feeds, calls)
    return waiting_plan.WaitingPlan(parts, target, resources, recorder)
