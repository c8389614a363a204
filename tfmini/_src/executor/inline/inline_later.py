"""inline_later: function calls that are not inlined but run as a separate plan.

Applies to recursive calls, calls in deeply nested loops, and calls with large bodies.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import errors
from tfmini._src.base.dtypes import DType
from tfmini._src.base.locks import make_rlock
from tfmini._src.compiler.interrupts import CALLER_THREADS, LOOP_HOOKS, after_iteration
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.inline.function_sizes import Callee
from tfmini._src.executor.inline.inline_checks import arity_error, result_count_error
from tfmini._src.executor.inline.inline_nodes import (
    Call,
    CallNodeBuilder,
    Link,
    finish,
    internal_op,
)
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.state.cancellation import running
from tfmini._src.executor.state.resources import Resources
from tfmini._src.executor.waiting_plan import WaitingPlan
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.opdef import Attr, OpDef
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.pending_ops import STEP_BY_THREAD

if TYPE_CHECKING:
    from tfmini._src.executor.inline.inline import InlinedGraph

_NODES = 20_000
_NODES_OF_A_PLAN = 1_000  # nodes charged per function that runs as a separate plan
# Maximum nesting within a plan: each level costs a few Python frames at compile time and at run time.
_LOOPS = 20
_CALLS_OF_A_THREAD = 12
_CALLS_OF_A_STEP = 10_000


def max_nodes() -> int:
    """Returns the maximum number of nodes added by repeated calls, TFMINI_INLINED_NODES; rejects malformed values."""
    text = os.environ.get("TFMINI_INLINED_NODES") or str(_NODES)
    if not text.isdecimal():
        errors.invalid(f"TFMINI_INLINED_NODES must be a number of nodes, not {text!r}")
    return int(text)


class NodeBudget:
    """The node budget of inlining; a function's first call in a session is always inlined.

    nodes: number of remaining nodes.
    seen: functions called so far.
    """

    def __init__(self, nodes: int, seen: set[Callee] | None = None):
        self._nodes = nodes
        self._called: set[Callee] = set() if seen is None else seen

    def plan_room(self) -> NodeBudget:
        """Returns the remaining budget for a function that runs as a plan in the same session."""
        return NodeBudget(min(_NODES_OF_A_PLAN, max_nodes()), self._called)

    def take(self, called: Callee, inlined: InlinedGraph) -> bool:
        """Reserves budget for a call's own nodes; returns False if the rest does not suffice for its nested calls."""
        if called not in self._called:
            self._called.add(called)
            return True
        if inlined.sizes.function_size(called).nodes > self._nodes:
            return False
        self._nodes -= inlined.sizes.own_size(called)
        return True


def runs_as_plan(inlined: InlinedGraph, call: Call, called: Callee) -> bool:
    """Whether a call runs as a plan instead of being inlined."""
    if called.name not in inlined.source._functions:
        return False
    if any(link.called == called for link in call.chain):
        return True
    if call.chain and call.chain[-1].loops >= _LOOPS:
        return True
    return not inlined.room.take(called, inlined)


def add_plan_call(
    inlined: InlinedGraph,
    call: Call,
    function: NameAttrList,
    is_gradient: bool,
    inputs: Sequence[Tensor],
    output_types: Sequence[DType],
    roots: Sequence[Operation],
) -> tuple[list[Tensor], list[Operation]]:
    """Adds a node that compiles a function to a plan on first use; returns the results and the nodes with effects."""
    input_types = tuple(tensor.dtype.base_dtype for tensor in inputs)
    controls = () if inputs else roots
    settings: dict[str, Any] = {"Tin": input_types, "Tout": tuple(output_types)}
    nodes = CallNodeBuilder(inlined.graph, call)
    has_effects = inlined.sizes.function_size(Callee(function.name, is_gradient)).has_effects
    if inlined.is_for_tasks:  # each task runs the same call on its part of the graph
        op_type = "StatefulPartitionedCall" if has_effects else "PartitionedCall"
        if is_gradient:
            op_type = "SymbolicGradient"
        else:
            settings |= {"config": "", "config_proto": "", "executor_type": ""}
        node = nodes.add(op_type, function.name, inputs, controls, f=function, **settings)
    else:
        node = nodes.add(
            CALL_LATER if has_effects else PURE_CALL_LATER,
            function.name,
            inputs,
            controls,
            **settings,
        )
        node.__dict__["_called_plan"] = inlined.called_plan(
            function, is_gradient, input_types, output_types
        )
    return node.outputs, [node] if has_effects else []


class CalledPlan:
    """A function that runs as a plan; call depth is counted per thread."""

    def __init__(
        self,
        inlined: InlinedGraph,
        function: NameAttrList,
        is_gradient: bool,
        input_types: tuple[DType, ...],
        output_types: tuple[DType, ...],
    ):
        self._inlined_graph = inlined
        self._function = function
        self._is_gradient = is_gradient
        self._input_types = input_types
        self._output_types = output_types
        self._plan: Plan | WaitingPlan | None = None
        self._lock = make_rlock()

    def matches(
        self,
        function: NameAttrList,
        is_gradient: bool,
        input_types: tuple[DType, ...],
        output_types: Sequence[DType],
    ) -> bool:
        """Whether the plan was compiled for this function with these attrs."""
        own_key = self._function, self._is_gradient, self._input_types, self._output_types
        return own_key == (function, is_gradient, input_types, tuple(output_types))

    def run(self, arguments: Sequence[Any], op: Operation, resources: Resources) -> tuple[Any, ...]:
        """Runs the function on these arguments; raises ResourceExhaustedError if calls are nested too deeply."""
        if LOOP_HOOKS or resources.closed:
            after_iteration(resources.closed)
        previous_calls, depth = _calls.thread_depth, _calls.depth
        if depth >= _CALLS_OF_A_STEP:
            raise errors.ResourceExhaustedError(
                None,
                op,
                f"Function '{self._function.name}' exceeds the recursion limit of "
                f"{_CALLS_OF_A_STEP} calls; check its termination condition",
            )
        if previous_calls >= _CALLS_OF_A_THREAD and not self._inlined_graph.devices:
            return _run_in_new_thread(lambda: self._run(arguments, op, resources), resources)
        return self._run(arguments, op, resources)

    def _run(
        self, arguments: Sequence[Any], op: Operation, resources: Resources
    ) -> tuple[Any, ...]:
        with self._lock:
            if self._plan is None:
                self._plan = self._compile(op, resources)
        _calls.thread_depth += 1
        _calls.depth += 1
        try:
            return self._plan.run(arguments)
        finally:
            _calls.thread_depth -= 1
            _calls.depth -= 1

    def _compile(self, op: Operation, resources: Resources) -> Plan | WaitingPlan:
        inlined, name = self._inlined_graph, self._function.name
        graph = Graph()
        graph._functions = inlined.source._functions
        graph._newest_producer = inlined.source._newest_producer
        with graph.as_default():
            arguments = [ops.placeholder(dtype, name="argument") for dtype in self._input_types]
        called = Callee(name, self._is_gradient)
        call = Call(
            op, name, arguments, [], (Link(op.name, called, op._frames),), op.device, op._frames
        )
        part = inlined.copy_for_graph(graph)
        body = part.called_body(called, self._function, call)
        problem = arity_error(body, arguments) or result_count_error(
            call, body.results, self._output_types
        )
        if problem is not None:
            raise problem
        results, required = finish(part.add_body(call, called, body, arguments, ()))
        return compile_plan(
            results, arguments, required, resources, inlined.placement, inlined.devices
        )


class _Calls(threading.local):
    """Call depth, in total and in this thread."""

    depth = 0
    thread_depth = 0


_calls = _Calls()


def _run_in_new_thread(run: Callable[[], tuple[Any, ...]], resources: Resources) -> tuple[Any, ...]:
    """Runs a call in a new thread, with an empty stack."""
    outcome: list[tuple[Any, ...]] = []
    failures: list[BaseException] = []
    caller, depth = threading.get_ident(), _calls.depth
    owner, step = CALLER_THREADS.get(caller, caller), STEP_BY_THREAD.get(caller)

    def work() -> None:
        thread = threading.get_ident()
        CALLER_THREADS[thread] = owner
        _calls.depth = depth
        try:
            if step is None:
                outcome.append(run())
            else:
                with running(step, resources):
                    outcome.append(run())
        except BaseException as error:  # re-raised in the waiting thread
            failures.append(error)
        finally:
            del CALLER_THREADS[thread]

    thread = threading.Thread(target=work, name="tfmini call", daemon=True)
    thread.start()
    thread.join()
    if failures:  # without the traceback, which every enclosing call would traverse
        raise failures[0].with_traceback(None)
    return outcome[0]


def _run_later(ctx: Any, args: Sequence[Any]) -> tuple[Any, ...]:
    plan: CalledPlan = ctx.op.__dict__["_called_plan"]
    return plan.run(args, ctx.op, ctx.resources)


def _declare_call_op(name: str) -> OpDef:
    lists = {key: Attr("list(type)", minimum=0) for key in ("Tin", "Tout")}
    opdef = internal_op(name, "args: Tin -> output: Tout", _run_later, **lists)
    opdef.borrowed_result = True
    opdef.infer(lambda op: [None] * len(op.outputs))
    return opdef


CALL_LATER = _declare_call_op("_CallLater")
CALL_LATER.stateful = CALL_LATER.has_effects = CALL_LATER.runs_plan = True
PURE_CALL_LATER = _declare_call_op("_PureCallLater")
