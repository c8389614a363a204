"""inline_calls: calls of functions, the gradients of calls, and functions that call themselves."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.autodiff.pending_counts import is_trainable
from tfmini._src.base import dtypes, errors
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import invalid
from tfmini._src.base.locks import make_rlock
from tfmini._src.compiler.kernel_context import KernelContext
from tfmini._src.compiler.placement.device_names import DeviceName, parsed
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.inline.inline_checks import (
    problem_of_arguments,
    problem_of_results,
    put_failure,
)
from tfmini._src.executor.inline.inline_nodes import Call, Link, Nodes, Replaced, private
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.state.resources import Resources
from tfmini._src.executor.waiting_plan import WaitingPlan
from tfmini._src.graph import element_lookup
from tfmini._src.graph.attributes import NameAttrList, to_str
from tfmini._src.graph.function_library import function_of_call
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.function_bodies import Body, with_effects
from tfmini._src.graph.opdef import Attr
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw

if TYPE_CHECKING:
    from tfmini._src.executor.inline.inline import Inlined

# Python's frames that one call inside of itself takes, and room for others.
_FRAMES = 10


def plain_call(inlined: Inlined, call: Call) -> Replaced:
    """A node of the function's name, or with it as attr `f`."""
    called = call.op.attrs.get("f") or function_of_call(call.op)
    assert called is not None
    return put_call(inlined, call, called, call.inputs)


def remote_call(inlined: Inlined, call: Call) -> Replaced:
    """Its first input says where the function runs: in this process, where the node is."""
    nodes = Nodes(inlined.graph, call)
    target, *inputs = call.inputs
    checked = nodes.add(LOCAL_TARGET, "target", [target], call.controls)
    checked.__dict__["_devices"] = {device.name for device in inlined.placement.devices}
    call = replace(call, controls=[*call.controls, checked])
    return put_call(inlined, call, call.op.attrs["f"], inputs)


def put_call(
    inlined: Inlined,
    call: Call,
    called: NameAttrList,
    inputs: Sequence[Tensor],
    body: Body | None = None,
) -> Replaced:
    """The nodes that replace a call: its inputs once it may start, and the function's body."""
    nodes = Nodes(inlined.graph, call)
    given = [
        nodes.identity(tensor, f"input_{number}", call.controls)
        for number, tensor in enumerate(inputs)
    ]
    start = given[0].op if given else nodes.add("NoOp", "start", [], call.controls)
    types = [tensor.dtype.base_dtype for tensor in call.op.outputs]
    roots = [start] if given or call.controls else []
    results, kept = put_function(inlined, call, called, given, types, roots, body=body)
    return Replaced(results, start, kept)


def put_function(
    inlined: Inlined,
    call: Call,
    called: NameAttrList,
    inputs: Sequence[Tensor],
    types: Sequence[DType],
    roots: Sequence[Operation],
    below: str = "",
    body: Body | None = None,
) -> tuple[list[Tensor], list[Operation]]:
    """Adds what a function runs: the tensors that it gives, of the given dtypes, and the nodes with effects.

    Args:
      roots: what nodes wait for that have no inputs.
      below: what the names of its nodes start with, below the call's.
      body: the function's, if that does not follow from its name.
    """
    if body is None and any(link.function == called.name for link in call.chain):
        node = _call_later(inlined, call, called, inputs, types, roots)
        return node.outputs, [node]
    body = body or inlined.body(called, call)
    problem = problem_of_arguments(body, inputs) or problem_of_results(call, body.results, types)
    if problem is not None:
        node = put_failure(Nodes(inlined.graph, call), problem, inputs, types, roots)
        return node.outputs, [node]
    return inlined.put_body(call, called.name, body, inputs, roots, below)


# Gradients -----------------------------------------------------------------------------------------


def symbolic_gradient(inlined: Inlined, call: Call) -> Replaced:
    """The library's function for it; else what the gradients of the body's results are."""
    called = call.op.attrs["f"]
    function = call.op.graph._functions.get(called.name)
    if function is not None and function.grad_func_name is not None:
        given = call.op.graph._functions[function.grad_func_name].definition.signature.output_arg
        wanted = len(call.op.outputs)
        if len(given) != wanted and not any(a.number_attr or a.type_list_attr for a in given):
            text = f"SymGrad expects to return {wanted} tensor(s), but get {len(given)} tensor(s) instead."
            return failing(inlined, call, errors.InvalidArgumentError(None, call.op, text))
        return put_call(inlined, call, NameAttrList(function.grad_func_name), call.inputs)
    key = (function, called, call.op.attrs["Tin"], call.op.attrs["Tout"])
    known = inlined.gradients.setdefault(called.name, [])
    try:
        gradient = next((made for made_for, made in known if made_for == key), None)
        if gradient is None:
            if function is None and called.name in element_lookup.registry:
                body = _body_of_op(called, call.op.attrs["Tin"])
            else:
                body = inlined.new_body(called, call)
            gradient = _gradient_body(body, call, called)
            known.append((key, gradient))
    except errors.OpError as error:
        return failing(inlined, call, error)
    return put_call(inlined, call, called, call.inputs, gradient)


def failing(inlined: Inlined, call: Call, error: errors.OpError) -> Replaced:
    """A node in the place of a call that fails where it runs."""
    nodes = Nodes(inlined.graph, call)
    types = [tensor.dtype.base_dtype for tensor in call.op.outputs]
    node = put_failure(nodes, error, call.inputs, types, call.controls)
    return Replaced(node.outputs, node, [node])


def _gradient_body(body: Body, call: Call, called: NameAttrList) -> Body:
    """A body that takes the arguments and the gradients of the results, and gives those of the arguments."""
    loop = next((op for op in body.graph._ops if op.type in ("Enter", "RefEnter")), None)
    if loop is not None:
        message = (
            f"No gradient defined for op: {loop.type}. Function '{called.name}' has a loop made of Enter and Exit "
            f"nodes ('{loop.name}'): what its gradient needs to know is not in a FunctionDef"
        )
        raise errors.NotFoundError(None, call.op, message)
    with body.graph.as_default():
        starts = [ops.placeholder(t.dtype.base_dtype, t.shape, name="dy") for t in body.results]
        arguments = [*body.arguments, *(tensor.op for tensor in starts)]
        xs = [arg.outputs[0] for arg in body.arguments]
        pairs = [
            (y, start)
            for y, start in zip(body.results, starts)
            if is_trainable(y) and y.dtype is not dtypes.resource
        ]
        try:
            found = gradients([y for y, _ in pairs], xs, [start for _, start in pairs])
        except LookupError as error:
            kind = re.search(r"\(op type: (.*?)\)", str(error))
            text = f"No gradient defined for op: {kind[1]}" if kind else str(error)
            raise errors.NotFoundError(None, call.op, text) from None
        except (ValueError, TypeError) as error:
            raise errors.InvalidArgumentError(None, call.op, str(error)) from None
        results = []
        for x, gradient, dtype in zip(xs, found, call.op.attrs["Tout"]):
            if gradient is None:
                gradient = _no_gradient(x, dtype)
            results.append(ops.convert_to_tensor(gradient))
    return Body(body.graph, arguments, results, with_effects(body.graph, arguments))


def _no_gradient(x: Tensor, dtype: DType) -> Any:
    return ops.zeros([], dtype) if x.dtype is dtypes.resource else raw.ZerosLike(x)


def _body_of_op(called: NameAttrList, types: Sequence[DType]) -> Body:
    """A function that is one op: its inputs, the first of the given ones."""
    opdef = element_lookup.registry[called.name]
    graph = Graph()
    with graph.as_default():
        inputs = [ops.placeholder(dtype) for dtype in types[: len(opdef.inputs)]]
        attrs = {key: value for key, value in called.attrs.items() if key in opdef.settable}
        result = opdef(*inputs, **attrs)
    made = [result] if isinstance(result, Tensor) else list(result)
    return Body(graph, [tensor.op for tensor in inputs], made, [])


# Functions that call themselves --------------------------------------------------------------------


def _call_later(
    inlined: Inlined,
    call: Call,
    called: NameAttrList,
    inputs: Sequence[Tensor],
    types: Sequence[DType],
    roots: Sequence[Operation],
) -> Operation:
    """A node that runs a function as a plan of its own, made when it is first reached."""
    given = tuple(tensor.dtype.base_dtype for tensor in inputs)
    recursions = inlined.recursions.setdefault(called.name, [])
    recursion = next((r for r in recursions if r.is_of(called, given, types)), None)
    if recursion is None:
        recursion = Recursion(inlined, called, given, tuple(types))
        recursions.append(recursion)
    controls = () if inputs else roots
    settings = {"Tin": given, "Tout": tuple(types)}
    node = Nodes(inlined.graph, call).add(CALL_LATER, called.name, inputs, controls, **settings)
    node.__dict__["_recursion"] = recursion
    return node


class Recursion:
    """A function that calls itself, as a plan. How deep it is called is counted for each thread."""

    def __init__(
        self,
        inlined: Inlined,
        called: NameAttrList,
        given: tuple[DType, ...],
        types: Sequence[DType],
    ):
        self._inlined = inlined
        self._called = called
        self._given = given
        self._types = types
        self._plan: Plan | WaitingPlan | None = None
        self._lock = make_rlock()
        self._calls = threading.local()

    def is_of(self, called: NameAttrList, given: tuple[DType, ...], types: Sequence[DType]) -> bool:
        """Whether it is of this function with these attrs."""
        return (self._called, self._given, self._types) == (called, given, tuple(types))

    def run(self, arguments: Sequence[Any], op: Operation, resources: Resources) -> tuple[Any, ...]:
        """The function's results for these arguments."""
        with self._lock:
            if self._plan is None:
                self._plan = self._made(op, resources)
        depth = getattr(self._calls, "depth", 0)
        most = sys.getrecursionlimit() // _FRAMES
        if depth >= most:
            message = (
                f"Function '{self._called.name}' calls itself more than {most} calls deep: has it a condition that "
                "ends it? (sys.setrecursionlimit raises the limit)"
            )
            raise errors.ResourceExhaustedError(None, op, message)
        self._calls.depth = depth + 1
        try:
            return self._plan.run(arguments)
        finally:
            self._calls.depth = depth

    def _made(self, op: Operation, resources: Resources) -> Plan | WaitingPlan:
        inlined, name = self._inlined, self._called.name
        graph = Graph()
        graph._functions = inlined.source._functions
        with graph.as_default():
            given = [ops.placeholder(dtype, name="argument") for dtype in self._given]
        link = Link(op.name, name, op._frames)
        call = Call(op, name, given, [], (link,), op.device, op._frames)
        part = inlined.beside(graph)
        body = part.body(self._called, call)
        problem = problem_of_arguments(body, given) or problem_of_results(
            call, body.results, self._types
        )
        if problem is not None:
            raise problem
        results, kept = part.put_body(call, name, body, given, ())
        return compile_plan(results, given, kept, resources, inlined.placement, inlined.gpus)


def _run_later(ctx: Any, args: Sequence[Any]) -> tuple[Any, ...]:
    recursion: Recursion = ctx.op.__dict__["_recursion"]
    return recursion.run(args, ctx.op, ctx.resources)


CALL_LATER = private(
    "_CallLater",
    "args: Tin -> output: Tout",
    _run_later,
    Tin=Attr("list(type)", minimum=0),
    Tout=Attr("list(type)", minimum=0),
)
CALL_LATER.stateful = CALL_LATER.has_effects = CALL_LATER.borrows = True
CALL_LATER.infer(lambda op: [None] * len(op.outputs))


def _check_target(ctx: KernelContext, target: bytes) -> None:
    """Raises unless the name is that of a device of this session."""
    text = to_str(target)
    name = parsed(text)
    if name is None:
        invalid(f"Could not parse device name: '{text}'")
    full = DeviceName(
        name.job or "localhost",
        name.replica or 0,
        name.task or 0,
        name.type or "CPU",
        name.number or 0,
    )
    if str(full) not in ctx.op.__dict__["_devices"]:
        raise errors.InternalError(
            None, None, f"Currently don't support instantiating functions on device: {full}"
        )


LOCAL_TARGET = private("_LocalTarget", "target: string ->", _check_target)
LOCAL_TARGET.must_run = LOCAL_TARGET.has_effects = True
