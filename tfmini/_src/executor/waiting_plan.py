"""Blocking plans: parts run as plans in the caller's thread; waits between them occupy no thread.

A step starts each blocking node as soon as its inputs are ready and resumes with whichever completes first. A failure
cancels the others and ends the step with its error, as do session close, a deadline and Ctrl-C.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from queue import SimpleQueue
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.base.errors import CancelledError, OpError
from tfmini._src.base.locks import make_lock
from tfmini._src.compiler.codegen.intrinsics import no_value
from tfmini._src.compiler.error_translation import translate
from tfmini._src.compiler.interrupts import LOOP_HOOKS, StepAbandoned, after_iteration, end_loops
from tfmini._src.compiler.kernel_context import KernelContext
from tfmini._src.compiler.oom_report import HINT
from tfmini._src.compiler.passes.insert_copies import Memories
from tfmini._src.compiler.pipeline import Shapes, Target, optimize
from tfmini._src.compiler.program.program import Loop, Node
from tfmini._src.executor.part_boundaries import PartBoundaries
from tfmini._src.executor.plan import GRACE_SECONDS, Plan
from tfmini._src.executor.schedule import Schedule, Wait, guard_holds
from tfmini._src.executor.state.cancellation import running
from tfmini._src.executor.state.resources import Resources
from tfmini._src.executor.tracing.recorder import Recorder, clock
from tfmini._src.graph.operation import Operation
from tfmini._src.ops.pending_ops import DeadTensor, PendingOp, Step

# Starts a wait of a step, given values by slot; returns a pending op or the results.
Begin: TypeAlias = Callable[[Step, dict[int, Any]], Any]


class WaitingPlan:
    """A compiled step with blocking ops; `run` as for `Plan`.

    program: the whole program, before the split.
    grace: seconds after the deadline in which a run may finish processing dequeued elements.
    ends_soon: whether a cancelled run terminates promptly; Python functions may not.
    """

    by_shapes: dict[Shapes, int | Plan] | None = None

    def __init__(
        self,
        schedule: Schedule,
        target: Target,
        resources: Resources,
        recorder: Recorder | None = None,
    ):
        self.program = schedule.program
        self.grace = GRACE_SECONDS
        self.ends_soon = not any(node.opdef.calls_python for node in self.program.all_nodes())
        self.recorder = recorder
        self.schedule = schedule
        self.resources = resources
        self.boundaries = PartBoundaries(schedule, target.devices, target.memories)
        self.parts: list[Plan] = []
        self.sends = [_send_ops(part.program.nodes) for part in schedule.parts]
        # Receives start first, so that other tasks get the requests early.
        self.early_waits = [
            index
            for index, wait in enumerate(schedule.waits)
            if wait.node.receives and not (wait.needs or wait.node.inputs or wait.node.predicates)
        ]
        for part in schedule.parts:
            memories = self.boundaries.part_memories(part.program.feeds, part.output_slots)
            program = optimize(part.program, replace(target, memories=memories))
            self.parts.append(Plan(program, resources, recorder))
        self.begin: list[Begin] = [self._begin_wait(wait, target) for wait in schedule.waits]
        # Slots that a wait uses, by its number.
        self.used = [
            [*dict.fromkeys((*wait.node.inputs, *wait.node.predicates))] for wait in schedule.waits
        ]
        if recorder is not None:
            self.numbers = [recorder.register(wait.node) for wait in schedule.waits]

    def callers_streams(self) -> Mapping[str, object]:
        """Maps devices to the calling thread's streams, with which a run in another thread must synchronize."""
        return {
            name: stream for plan in self.parts for name, stream in plan.callers_streams().items()
        }

    def run(
        self,
        feeds: Sequence[Any],
        reports_usage: bool = False,
        streams: Mapping[str, object] | None = None,
        step: Step | None = None,
    ) -> tuple[Any, ...]:
        """Executes the plan; raises the tf.errors class that TensorFlow raises.

        step: the step to join, if this run is one task's part of a cluster step.
        """
        step = step or Step()
        with running(step, self.resources):
            return Run(self, step, feeds, (reports_usage, streams)).results()

    def _begin_wait(self, wait: Wait, target: Target) -> Begin:
        """Returns the function that starts a wait and returns a pending op or results."""
        if wait.node.kind == "while":
            return self._begin_loop(wait, target)
        begin = self._begin_op(wait)
        return self._in_thread(begin, wait.node) if wait.node.opdef.calls_python else begin

    def _in_thread(self, call: Begin, node: Node) -> Callable[[Step, dict[int, Any]], PendingOp]:
        """Runs a Python function that may wait for others in a separate thread.

        The function itself cannot be stopped: a cancelled step continues without it.
        """
        is_fetched = not set(node.outputs).isdisjoint(self.program.fetches)

        def begin(step: Step, values: dict[int, Any]) -> PendingOp:
            pending_op = PendingOp(_cancel, passes_on=True)
            inputs = {slot: values[slot] for slot in node.inputs}

            def run() -> None:
                try:
                    results = call(step, inputs)
                except BaseException as error:  # re-raised in the waiting thread
                    pending_op.end(error=error)
                else:
                    pending_op.end(tuple(map(_copy_fetched, results)) if is_fetched else results)

            threading.Thread(target=run, name="tfmini function", daemon=True).start()
            return pending_op

        return begin

    def _begin_op(self, wait: Wait) -> Begin:
        node = wait.node
        kernel, groups = node.opdef.kernel, _group_slots(node)
        shared = {*self.program.feeds, *(s for s, n in self.schedule.uses.items() if n > 1)}
        owned_arrays = frozenset(
            arg.name
            for arg, (_, slots) in zip(node.opdef.inputs, groups)
            if shared.isdisjoint(slots)
        )
        device = self.boundaries.device_of[node]
        context = KernelContext(
            node.origin, self.resources, owned_arrays, node.device, array_device=device
        )
        attrs = {name: node.attrs[name] for name in node.opdef.kernel_attrs}

        def begin(step: Step, values: dict[int, Any]) -> Any:
            arguments = [
                tuple(values[s] for s in slots) if is_list else values[slots[0]]
                for is_list, slots in groups
            ]
            return kernel(context, *arguments, **attrs)

        def begin_on_device(step: Step, values: dict[int, Any]) -> Any:
            arguments = {s: self.boundaries.argument(node, s, values[s]) for s in node.inputs}
            return begin(step, arguments)

        return begin if device is None else begin_on_device

    def _begin_loop(self, wait: Wait, target: Target) -> Begin:
        """Runs a loop in its own thread."""
        assert wait.body is not None
        body_target = replace(target, memories=Memories(), shapes=())
        body = WaitingPlan(wait.body, body_target, self.resources, self.recorder)
        loop = _WaitingLoop(wait.node.loop, body)

        def begin(step: Step, values: dict[int, Any]) -> PendingOp:
            lock = make_lock()
            is_over = False

            def end(pending_op: PendingOp) -> None:
                with lock:
                    if not is_over:  # the thread identifier may soon be reused
                        end_loops(thread.ident)

            pending_op = PendingOp(end, passes_on=True)
            feeds = [values[slot] for slot in wait.node.inputs]
            recorder = self.recorder
            collecting = (
                nullcontext() if recorder is None else recorder.collect_into(recorder.spans())
            )

            def run() -> None:
                nonlocal is_over
                try:
                    inner = loop.step_in_frame(step)
                    with collecting, running(inner, self.resources):
                        results = loop.run(feeds, inner)
                except StepAbandoned:
                    text = "Loop execution was cancelled."
                    pending_op.end(error=CancelledError(None, None, text))
                except BaseException as error:  # re-raised in the waiting thread
                    pending_op.end(error=error)
                else:
                    pending_op.end(results)
                finally:
                    with lock:
                        is_over = True
                        LOOP_HOOKS.pop(threading.get_ident(), None)

            thread = threading.Thread(target=run, name="tfmini loop", daemon=True)
            thread.start()
            return pending_op

        return begin


class _WaitingLoop:
    """A loop whose iterations are runs of a plan.

    Other tasks may run parts of the same loop. One task sends its predicate to the others, so that all run the same
    number of iterations. A loop that does not run reports this in the first iteration.
    """

    def __init__(self, loop: Loop, body: WaitingPlan):
        self.body = body
        self._frame = loop.frame
        self._predicate, *fetches = body.program.fetches
        self._following, self._leaving = fetches[: loop.variables], fetches[loop.variables :]

    def step_in_frame(self, step: Step) -> Step:
        """Returns the step of an iteration."""
        return step.step_in_frame(self._frame)

    def run(self, feeds: list[Any], step: Step) -> tuple[Any, ...]:
        """Runs the loop from its initial values; returns the exit values."""
        closed = self.body.resources.closed
        while True:
            values = Run(self.body, step, feeds, (False, None)).values_at_end()
            if values[self._predicate] is None:
                raise DeadTensor(self._frame)
            if not values[self._predicate]:
                return tuple(values[slot] for slot in self._leaving)
            feeds[: len(self._following)] = [values[slot] for slot in self._following]
            if LOOP_HOOKS or closed:
                after_iteration(closed)
            step.next_iteration()


def _cancel(pending_op: PendingOp) -> None:
    pending_op.end(error=CancelledError(None, None, "Step was cancelled."))


def _copy_fetched(value: object) -> Any:
    """Copies fetched values, which the caller owns."""
    return value.copy() if isinstance(value, np.ndarray) else value


def _send_ops(nodes: Iterable[Node]) -> list[Operation]:
    """Returns the operations that send tensors to other tasks."""
    return [node.origin for node in nodes if node.sends]


def _send_dead(nodes: Sequence[Node], step: Step) -> None:
    """Signals other tasks that none of the nodes they wait for will run."""
    if sends := _send_ops(nodes):
        step.rendezvous.send_dead(sends)
    for node in nodes:
        if node.kind == "while" and node.may_wait:
            body = node.loop.program
            _send_dead([*body.nodes, *body.unsent], step.step_in_frame(node.loop.frame))


def _group_slots(node: Node) -> list[tuple[bool, tuple[int, ...]]]:
    """Groups slots by input of the signature: whether the input is a list, and its slots."""
    groups: list[tuple[bool, tuple[int, ...]]] = []
    start = 0
    for arg in node.opdef.inputs:
        count = arg.count(node.attrs)
        groups.append((arg.is_list, node.inputs[start : start + count]))
        start += count
    return groups


class Run:
    """One run of a plan: values computed so far, completed waits, pending parts and waits.

    on_wait_end: called with the index of each completed wait if the run is asynchronous.
    """

    def __init__(
        self,
        plan: WaitingPlan,
        step: Step,
        feeds: Sequence[Any],
        options: tuple[bool, Mapping[str, object] | None],
        on_wait_end: Callable[[int], Any] | None = None,
    ):
        self.plan = plan
        self.step = step
        self.options = options
        self.outcomes: SimpleQueue[int] = SimpleQueue()  # numbers of waits, in completion order
        self._wait_has_ended = on_wait_end or self.outcomes.put
        self.values: dict[int, Any] = dict(zip(plan.program.feeds, feeds))
        self.uses = dict(plan.schedule.uses)
        self.completed_waits: set[int] = set()
        self.dead: set[int] = set()  # completed waits without a result
        self.parts = list(range(len(plan.parts)))
        self.waits = list(range(len(plan.schedule.waits)))
        self.begun: dict[int, PendingOp] = {}
        self.times: dict[int, int] = {}

    def results(self) -> tuple[Any, ...]:
        self.values_at_end()
        return self.fetched_values()

    def values_at_end(self) -> dict[int, Any]:
        """Completes the run and returns all computed values, including fetches; None for fetches that did not run."""
        try:
            self.begin()
            while self.begun:
                self.end(self.outcomes.get())
        except BaseException as error:
            self.step.cancel()
            while self.begun:  # the cancelled ops finish, but their results are discarded
                del self.begun[self.outcomes.get()]
            if isinstance(error, OpError):
                self.end_parts()
            raise
        return self.values

    def begin(self) -> None:
        """Starts receives, and runs parts without dependencies."""
        if self.plan.program.unsent:
            _send_dead(self.plan.program.unsent, self.step)
        for index in self.plan.early_waits:
            self.waits.remove(index)
            self._start_wait(index)
        self._advance()

    def _advance(self) -> None:
        """Runs parts and starts waits whose dependencies have completed, until none is ready."""
        is_stuck = False
        while not is_stuck:
            schedule, is_stuck = self.plan.schedule, True
            for index in [n for n in self.parts if schedule.parts[n].needs <= self.completed_waits]:
                self.parts.remove(index)
                self._run_part(index)
            for index in [n for n in self.waits if schedule.waits[n].needs <= self.completed_waits]:
                self.waits.remove(index)
                if self._start_wait(index):
                    is_stuck = False

    def end_parts(self) -> None:
        """Runs the unaffected parts whose inputs are available, after a failure."""
        for index in self.parts:
            part = self.plan.schedule.parts[index]
            if part.needs <= self.completed_waits and self.values.keys() >= set(part.program.feeds):
                with suppress(OpError):
                    self._run_part(index)

    def _run_part(self, index: int) -> None:
        part, plan = self.plan.schedule.parts[index], self.plan.parts[index]
        if self.dead and not self.dead.isdisjoint(part.needs):
            self.values.update(dict.fromkeys(part.output_slots))
        else:
            results = plan.run([self._take(slot) for slot in part.program.feeds], *self.options)
            self.values.update(zip(part.output_slots, results))
        if self.plan.sends[index]:
            self.step.rendezvous.send_dead(self.plan.sends[index])

    def _start_wait(self, index: int) -> bool:
        """Starts a wait; returns whether it has already completed."""
        node = self.plan.schedule.waits[index].node
        if self.plan.recorder is not None:
            self.times[index] = clock()
        if self.dead and not self.dead.isdisjoint(self.plan.schedule.waits[index].needs):
            self.dead.add(index)
            self._skip_wait(node)
        elif node.guard and not guard_holds(node.guard, self.values):
            self._skip_wait(node)
        else:
            try:
                # Stops before the op dequeues an element that no consumer would receive.
                if self._is_too_late(index):
                    raise CancelledError(None, None, "The step was cancelled")
                outcome = self.plan.begin[index](self.step, self.values)
            except BaseException as error:
                self._raise_translated(node, error)
            if outcome.__class__ is PendingOp and not outcome.is_ended:
                self.begun[index] = outcome
                self.step.watch(outcome, lambda: self._wait_has_ended(index))
                return False
            self._store_results(index, node, outcome)
            self._record_duration(index, node)
        self._release_part(index)
        self.completed_waits.add(index)
        return True

    def _is_too_late(self, index: int) -> bool:
        """Whether it is too late to start a wait."""
        if self.step.is_cancelled or not self.step.takes_no_more:
            return self.step.is_cancelled
        wait = self.plan.schedule.waits[index]
        has_started = bool(wait.needs) or self.step.outermost is not self.step
        return not (has_started or wait.node.receives or wait.node.kind == "while")

    def _skip_wait(self, node: Node) -> None:
        """Skips a wait with dead inputs."""
        self.values.update(dict.fromkeys(node.outputs))
        if self.step.rendezvous is not None:
            _send_dead([node], self.step)

    def end(self, index: int) -> None:
        """Stores the results of a completed wait and runs its dependents."""
        node = self.plan.schedule.waits[index].node
        self._store_results(index, node, self.begun.pop(index))
        self._record_duration(index, node)
        self._release_part(index)
        self.completed_waits.add(index)
        self._advance()

    def _record_duration(self, index: int, node: Node) -> None:
        """Records the duration of a wait, if timing is enabled."""
        plan = self.plan
        if plan.recorder is not None and node.kind != "while":
            values = [self.values[slot] for slot in node.outputs if slot in self.uses]
            plan.recorder.note(plan.numbers[index], self.times[index], *values)

    def _store_results(self, index: int, node: Node, outcome: Any) -> None:
        """Stores the results of a node."""
        try:
            results = outcome.outcome() if outcome.__class__ is PendingOp else outcome
        except DeadTensor:
            self.dead.add(index)
            self.values.update(dict.fromkeys(node.outputs))
            return
        except BaseException as error:
            self._raise_translated(node, error)
        if not node.opdef.has_list_output and len(node.outputs) == 1 and node.kind != "while":
            results = (results,)
        for slot, value in zip(node.outputs, results or ()):
            if slot in self.uses:
                self.values[slot] = self.plan.boundaries.result(node, slot, value)

    def _raise_translated(self, node: Node, error: BaseException) -> None:
        inputs = [self.values.get(slot) for slot in node.inputs]
        devices = self.plan.program.devices
        failure = (
            None if node.kind == "while" else translate(error, node, inputs, devices, lambda: HINT)
        )
        if failure is None:
            raise error
        raise failure from (None if hasattr(error, "node_def") else error)

    def _release_part(self, index: int) -> None:
        for slot in self.plan.used[index]:
            self._take(slot)

    def _take(self, slot: int) -> Any:
        """Returns the value of a slot and releases it after its last use."""
        self.uses[slot] -= 1
        return self.values[slot] if self.uses[slot] else self.values.pop(slot)

    def fetched_values(self) -> tuple[Any, ...]:
        program = self.plan.program
        for index, guard in program.fetch_guards.items():
            if guard is None or not guard_holds(guard, self.values):
                no_value(index)
        results: list[Any] = []
        returned: set[int] = set()
        for slot in program.fetches:
            value = self.values[slot]
            if isinstance(value, np.ndarray) and id(value) in returned:
                value = value.copy()
            returned.add(id(value))
            results.append(value)
        return tuple(results)
