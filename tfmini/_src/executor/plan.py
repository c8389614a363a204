"""`Plan`: a compiled step for one set of fetches and feeds."""

from __future__ import annotations

import contextvars
import itertools
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OpError, ResourceExhaustedError
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.codegen import listing
from tfmini._src.compiler.codegen.emit import emit
from tfmini._src.compiler.error_translation import (
    failing_line,
    failing_lines,
    out_of_memory_fetching,
    release_frames,
    translate,
)
from tfmini._src.compiler.interrupts import DeferredInterrupts
from tfmini._src.compiler.oom_report import HINT, other_processes_line, usage_report
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.device_contexts import callers_streams, device_classes, working_on
from tfmini._src.devices.host.denormals import flush, restore
from tfmini._src.executor import after_failure
from tfmini._src.executor.state.resources import Resources
from tfmini._src.executor.tracing import timed
from tfmini._src.ops.state.temporary_variable import one_step

if TYPE_CHECKING:
    from tfmini._src.compiler.pipeline import Shapes
    from tfmini._src.executor.tracing.recorder import Recorder

_numbers = itertools.count(1)


def _handling_of_errors() -> tuple[contextvars.ContextVar[Any], Any]:
    """Returns NumPy's context variable for floating-point error handling, and its value that ignores errors.

    Setting the variable takes a tenth of the time of `np.errstate`.
    """
    context = contextvars.Context()
    context.run(np.seterr, all="ignore")
    ((variable, is_ignoring),) = context.items()
    return variable, is_ignoring


_error_handling, _IGNORE_FLAGS = _handling_of_errors()


@dataclass(frozen=True)
class _Text:
    """A plan's function and the node of each source line.

    calls: lines that call other functions of the plan; program: the program, with nodes in source order.
    """

    program: Program
    filename: str
    node_of_line: Mapping[int, Node]
    constants: Mapping[int, str]
    calls: frozenset[int]
    function: Callable[[Sequence[Any]], tuple[Any, ...]]

    def failing(self, error: BaseException) -> tuple[Node, dict[str, Any]] | None:
        """Returns the failed node and its function's local variables; None if no node is on the line."""
        failure = failing_line(error.__traceback__, self.filename, self.calls)
        node = None if failure is None else self.node_of_line.get(failure[0])
        return None if failure is None or node is None else (node, failure[1])


GRACE_SECONDS = 1.0  # seconds


class Plan:
    """A compiled step: `plan.run(feed_values)` returns the values of the fetches, in order.

    A plan with a recorder records node start and end times and disables capture.

    grace: seconds after the deadline in which a run may pass on dequeued elements; 0 unless a node runs another plan.
    ends_soon: whether a cancelled run ends soon.
    """

    ends_soon = False

    def __init__(self, program: Program, resources: Resources, recorder: Recorder | None = None):
        self.program = program
        self.recorder = recorder
        self._resources = resources
        self._devices = [device for _, device in sorted(program.devices.items())]
        classes = device_classes(self._devices)
        captures = (
            [device_class.capture(program) for device_class in classes] if recorder is None else []
        )
        self._capture = next(filter(None, captures), None)
        self._is_stale = False
        self._texts: list[_Text] = []  # the one or two most recent texts
        # With shape specialization: the run count by feed shapes, then a plan for these shapes.
        self.by_shapes: dict[Shapes, int | Plan] | None = None
        self._remaining_plans: dict[Node, Plan | None] = {}  # by failed node
        self._compile()
        self.grace = GRACE_SECONDS if any(n.opdef.runs_plan for n in program.all_nodes()) else 0.0
        # Most plans have no step-local state.
        self._keeps_state = any(node.opdef.has_step_state for node in program.all_nodes())
        self._changes_state = self._keeps_state or any(
            node.kind in ("op", "updates") and _changes_state(node) for node in program.all_nodes()
        )
        for device_class in classes:
            device_class.prepare(program, bool(self._segments))

    def _compile(self) -> None:
        program, resources = self.program, self._resources
        if self.recorder is not None:
            source = timed.emit_timed(program, resources, self.recorder)
        elif self._capture is not None:
            source = self._capture.emit(resources)
        else:
            source = emit(program, resources)
        self._is_stale = False
        self.text = str(source)
        filename = f"<tfmini plan {next(_numbers)}>"
        names = source.names
        exec(compile(self.text, filename, "exec"), names)
        self._function: Callable[[Sequence[Any]], tuple[Any, ...]] = names.pop("plan")
        mark_uncapturable = WeakMethod(self._mark_uncapturable)
        self._segments = (
            {} if self._capture is None else self._capture.segments(names, mark_uncapturable)
        )
        functions = _loop_functions(source.loops, names, self._segments)
        if functions:
            self._function = FunctionType(self._function.__code__, {**names, **functions})
        calls = frozenset(source.calls)
        text = _Text(
            source.program,
            filename,
            source.node_of_line,
            source.constants,
            calls,
            self._function,
        )
        # Another thread may still search the old text for a failed node; the copy does not keep its graphs alive.
        before = [replace(t, function=self._function) for t in self._texts[-1:]]
        self._texts = [*before, text]
        if "plan" in debug.FLAGS:
            lines = self.text.splitlines(True)
            linecache.cache[filename] = (len(self.text), None, lines, filename)
            print(f"{filename}\n{listing.listing(source, self.program)}", file=sys.stderr)

    def callers_streams(self) -> Mapping[str, object]:
        """Maps devices to the calling thread's streams, with which a run in another thread must synchronize."""
        return callers_streams(self._devices) if self.program.shares_arrays else {}

    def run(
        self,
        feeds: Sequence[Any],
        reports_usage: bool = False,
        streams: Mapping[str, object] | None = None,
    ) -> tuple[Any, ...]:
        """Executes the plan; raises the tf.errors class that TensorFlow raises.

        With `reports_usage`, an out-of-memory error lists current allocations. `streams` are the streams of the
        requesting thread; defaults to this thread's.
        """
        if not self._changes_state:
            return self._run_function(feeds, reports_usage, streams)
        with DeferredInterrupts():
            if not self._keeps_state:
                return self._run_function(feeds, reports_usage, streams)
            with one_step():
                return self._run_function(feeds, reports_usage, streams)

    def _run_function(
        self, feeds: Sequence[Any], reports_usage: bool, streams: Mapping[str, object] | None
    ) -> tuple[Any, ...]:
        previous_flush, handling_token = flush(1), _error_handling.set(_IGNORE_FLAGS)
        try:
            if not self._devices:
                return self._function(feeds)
            if streams is None and self.program.shares_arrays:
                streams = callers_streams(self._devices)
            with working_on(self._devices, streams), self._capture_context():
                results = self._function(feeds)
            if self._is_stale:
                with working_on(self._devices):
                    if self._is_stale:  # unless another thread has already done so
                        self._compile()
            return results
        except BaseException as error:
            for device in self._devices:
                error = device.fault_behind(error)
            lost_devices = [device for device in self._devices if device.is_lost(error)]
            for device in lost_devices:
                device.lost = str(error)
            failure = self._translate_failure(error, reports_usage)
            if failure is None:
                raise
            if isinstance(failure, ResourceExhaustedError):
                release_frames(error.__traceback__)  # the frames hold the exhausted memory
            elif not lost_devices:
                self._run_independent_effects(error, streams)
            try:
                raise failure from (None if hasattr(error, "node_def") else error)
            finally:
                # The failure's traceback refers to this frame: a cycle that would keep the step's arrays alive.
                del failure
        finally:
            _error_handling.reset(handling_token)
            restore(previous_flush)

    def _capture_context(self) -> AbstractContextManager[None]:
        if self._capture is None:
            return nullcontext()
        return self._capture.running(self._texts[-1].filename)

    def _mark_uncapturable(self, error: Exception) -> None:
        """Excludes the failing op's kind from capture, starting with the next run."""
        failure = self._texts[-1].failing(error)
        if failure is not None and self._capture is not None:
            self._capture.leave_out(failure[0])
            self._is_stale = True

    def _run_independent_effects(
        self, error: BaseException, streams: Mapping[str, object] | None
    ) -> None:
        """Runs the effects that do not depend on the failed node; the step raises the first failure."""
        frames = [(text, failing_lines(error.__traceback__, text.filename)) for text in self._texts]
        text, lines = next(pair for pair in frames if pair[1])
        program = text.program
        rests = []
        for line, variables in lines:
            node = text.node_of_line.get(line)
            if node is None or (line in text.calls and node.kind != "while"):
                break  # a captured segment, whose progress is unknown
            if node not in self._remaining_plans:
                independent_program = after_failure.remaining_program(program, node)
                self._remaining_plans[node] = (
                    None
                    if independent_program is None
                    else Plan(independent_program, self._resources)
                )
            rests.append((self._remaining_plans[node], variables))
            if node.kind != "while" or program.devices:
                break
            program = node.loop.program
        for plan, variables in reversed(rests):
            if plan is not None:
                with suppress(OpError):
                    plan.run([variables.get(f"t{s}") for s in plan.program.feeds], False, streams)

    def _translate_failure(self, error: BaseException, reports_usage: bool) -> BaseException | None:
        for text in self._texts:
            failure = text.failing(error)
            if failure is not None:
                break
        else:
            return out_of_memory_fetching() if isinstance(error, MemoryError) else None
        node, variables = failure
        constants = text.function.__globals__
        inputs = [
            constants.get(text.constants[s]) if s in text.constants else variables.get(f"t{s}")
            for s in node.inputs
        ]

        def usage() -> str:
            device = self.program.devices.get(node.device)
            other_processes = "" if device is None else other_processes_line(device)
            report = usage_report(self.program, variables, node.device) if reports_usage else HINT
            return report + other_processes

        retval = self.program.retvals.get(node.outputs[0]) if node.kind == "read" else None
        return translate(error, node, inputs, self.program.devices, usage, retval)


def _loop_functions(
    loops: Sequence[str], names: dict[str, Any], segments: Mapping[str, Callable[..., Any]]
) -> dict[str, Any]:
    """Removes the functions of loops and segments from their namespace and returns them.

    As part of a reference cycle, they would outlive their session.
    """
    functions = {name: names.pop(name) for name in loops}
    bound: dict[str, Any] = dict(segments)
    for name, function in reversed(functions.items()):
        code = function.__code__
        inner = {name: bound[name] for name in code.co_names if name in bound}
        bound[name] = FunctionType(code, {**names, **inner}) if inner else function
    return bound


def _changes_state(node: Node) -> bool:
    """Whether a node may write a variable."""
    cells = any(arg.is_ref or arg.dtype is dtypes.resource for arg in node.opdef.inputs)
    return cells and not node.opdef.borrowed_result
