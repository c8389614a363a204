"""inline_calls: expands function calls and the gradients of calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.autodiff.pending_counts import is_trainable
from tfmini._src.base import dtypes, errors
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import invalid
from tfmini._src.compiler.kernel_context import KernelContext
from tfmini._src.compiler.placement.device_names import DeviceName, parse_device
from tfmini._src.executor.inline.function_sizes import Callee
from tfmini._src.executor.inline.inline_checks import (
    add_failure,
    arity_error,
    result_count_error,
)
from tfmini._src.executor.inline.inline_later import add_plan_call, runs_as_plan
from tfmini._src.executor.inline.inline_nodes import (
    Call,
    CallNodeBuilder,
    CallReplacement,
    Work,
    internal_op,
)
from tfmini._src.graph import op_registry
from tfmini._src.graph.attributes import NameAttrList, to_str
from tfmini._src.graph.function_library import called_function
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.function_bodies import Body, effect_nodes
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.string.string_elements import scalar_string

if TYPE_CHECKING:
    from tfmini._src.executor.inline.inline import InlinedGraph


def plain_call(inlined: InlinedGraph, call: Call) -> Work[CallReplacement]:
    """Expands a call by op type or by attr `f`."""
    called = call.op.attrs.get("f") or called_function(call.op)
    assert called is not None
    return (yield from add_call(inlined, call, called, call.inputs))


def remote_call(inlined: InlinedGraph, call: Call) -> Work[CallReplacement]:
    """Expands a RemoteCall, whose first input must name a device of this process; the node's own device is used.

    For tasks, the function's nodes are on the target.
    """
    nodes = CallNodeBuilder(inlined.graph, call)
    target, *inputs = call.inputs
    if inlined.is_for_tasks:
        call = replace(call, device=target_device(inlined, call.op) or call.device)
        return (yield from add_call(inlined, call, call.op.attrs["f"], inputs))
    target_node = nodes.add(LOCAL_TARGET, "target", [target], call.controls)
    target_node.__dict__["_devices"] = [device.name for device in inlined.placement.devices]
    call = replace(call, controls=[*call.controls, target_node])
    return (yield from add_call(inlined, call, call.op.attrs["f"], inputs))


def target_device(inlined: InlinedGraph, op: Operation) -> str | None:
    """Returns the device that a RemoteCall's constant target names in full, if any."""
    source = op.inputs[0].op
    if source.type != "Const":
        return None
    name = parse_device(to_str(source.attrs["value"].array.item())) or DeviceName()
    full = name._replace(
        replica=name.replica or 0, type=name.type or "CPU", device_index=name.device_index or 0
    )
    return next((d.name for d in inlined.placement.devices if d.name == str(full)), None)


def add_call(
    inlined: InlinedGraph,
    call: Call,
    called: NameAttrList,
    inputs: Sequence[Tensor],
    is_gradient: bool = False,
) -> Work[CallReplacement]:
    """Adds the nodes that replace a call: Identity nodes for its inputs, with its control inputs, and the body.

    Handles wait for the other inputs, because the call's effects do.
    """
    nodes = CallNodeBuilder(inlined.graph, call)
    arguments, controls = list(inputs), list(call.controls)
    for handles in (False, True):
        for index, tensor in enumerate(inputs):
            if (tensor.dtype is dtypes.resource) is handles:
                arguments[index] = nodes.identity(tensor, f"input_{index}", controls)
        controls += [tensor.op for tensor in arguments if tensor not in inputs]
    start = arguments[0].op if arguments else nodes.add("NoOp", "start", [], call.controls)
    types = [tensor.dtype.base_dtype for tensor in call.op.outputs]
    roots = [start] if arguments or call.controls else []
    results, required = yield from add_function(
        inlined, call, called, arguments, types, roots, is_gradient=is_gradient
    )
    run_marker = nodes.add("NoOp", "ran", [], [start, *required]) if required else start
    return CallReplacement(results, run_marker, required)


def add_function(
    inlined: InlinedGraph,
    call: Call,
    called: NameAttrList,
    inputs: Sequence[Tensor],
    types: Sequence[DType],
    roots: Sequence[Operation],
    scope_name: str = "",
    is_gradient: bool = False,
) -> Work[tuple[list[Tensor], list[Operation]]]:
    """Adds a function's nodes, or its gradient's; returns its results of these dtypes and the nodes with side effects.

    Nodes without inputs depend on `roots`; node names begin with the call's name and `scope_name`.
    """
    target = Callee(called.name, is_gradient)
    if runs_as_plan(inlined, call, target):
        return add_plan_call(inlined, call, called, is_gradient, inputs, types, roots)
    body = inlined.called_body(target, called, call)
    problem = arity_error(body, inputs) or result_count_error(call, body.results, types)
    if problem is not None:
        node = add_failure(CallNodeBuilder(inlined.graph, call), problem, inputs, types, roots)
        return node.outputs, [node]
    return (yield from inlined.add_body(call, target, body, inputs, roots, scope_name))


# Gradients -----------------------------------------------------------------------------------------


def symbolic_gradient(inlined: InlinedGraph, call: Call) -> Work[CallReplacement]:
    """Expands a SymbolicGradient: the library's gradient function if registered, else the body's derived gradients."""
    called = call.op.attrs["f"]
    function = call.op.graph._functions.get(called.name)
    if function is not None and function.grad_func_name is not None:
        output_args = call.op.graph._functions[
            function.grad_func_name
        ].definition.signature.output_arg
        count = len(call.op.outputs)
        if len(output_args) != count and not any(
            a.number_attr or a.type_list_attr for a in output_args
        ):
            text = f"SymGrad expects to return {count} tensor(s), but get {len(output_args)} tensor(s) instead."
            return fail_call(inlined, call, errors.InvalidArgumentError(None, call.op, text))
        named = NameAttrList(function.grad_func_name)
        return (yield from add_call(inlined, call, named, call.inputs))
    try:
        inlined.called_body(Callee(called.name, True), called, call)
    except errors.OpError as error:
        return fail_call(inlined, call, error)
    return (yield from add_call(inlined, call, called, call.inputs, True))


def fail_call(inlined: InlinedGraph, call: Call, error: errors.OpError) -> CallReplacement:
    """Returns a replacement for a call that fails at run time."""
    nodes = CallNodeBuilder(inlined.graph, call)
    types = [tensor.dtype.base_dtype for tensor in call.op.outputs]
    node = add_failure(nodes, error, call.inputs, types, call.controls)
    return CallReplacement(node.outputs, node, [node])


def gradient_body(inlined: InlinedGraph, called: NameAttrList, call: Call) -> Body:
    """Builds a function body that maps the arguments and the results' gradients to the arguments' gradients.

    Raises:
      InvalidArgumentError, NotFoundError: if the function is missing.
    """
    if called.name not in call.op.graph._functions and called.name in op_registry.registry:
        body = _body_of_op(called, call.op.attrs["Tin"])
    else:
        body = inlined.new_body(called, call)
    loop = next((op for op in body.graph._ops if op.type in ("Enter", "RefEnter")), None)
    if loop is not None:
        raise errors.NotFoundError(
            None,
            call.op,
            f"No gradient defined for op: {loop.type}. Function '{called.name}' contains a "
            f"loop of Enter and Exit nodes ('{loop.name}'), whose gradient requires information "
            "that a FunctionDef does not store",
        )
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
            input_gradients = gradients([y for y, _ in pairs], xs, [start for _, start in pairs])
        except LookupError as error:
            match = re.search(r"\(op type: (.*?)\)", str(error))
            text = f"No gradient defined for op: {match[1]}" if match else str(error)
            raise errors.NotFoundError(None, call.op, text) from None
        except (ValueError, TypeError) as error:
            raise errors.InvalidArgumentError(None, call.op, str(error)) from None
        results = []
        for x, gradient, dtype in zip(xs, input_gradients, call.op.attrs["Tout"]):
            if gradient is None:
                gradient = _no_gradient(x, dtype)
            results.append(ops.convert_to_tensor(gradient))
    return Body(body.graph, arguments, results, effect_nodes(body.graph, arguments))


def _no_gradient(x: Tensor, dtype: DType) -> Any:
    return ops.zeros([], dtype) if x.dtype is dtypes.resource else raw.ZerosLike(x)


def _body_of_op(called: NameAttrList, types: Sequence[DType]) -> Body:
    """Builds a function body of a single op, applied to the leading arguments."""
    opdef = op_registry.registry[called.name]
    graph = Graph()
    with graph.as_default():
        inputs = [ops.placeholder(dtype) for dtype in types[: len(opdef.inputs)]]
        attrs = {key: value for key, value in called.attrs.items() if key in opdef.settable_attrs}
        result = opdef(*inputs, **attrs)
    results = [result] if isinstance(result, Tensor) else list(result)
    return Body(graph, [tensor.op for tensor in inputs], results, [])


# Calls on other devices ---------------------------------------------------------------------------


def _check_target(ctx: KernelContext, target: bytes) -> None:
    """Raises unless the name is a device of this session; omitted parts default to this task."""
    text = to_str(scalar_string(target))
    name = parse_device(text)
    if name is None:
        invalid(f"Could not parse {text} into a device specification.")
    devices = ctx.op.__dict__["_devices"]
    default = parse_device(devices[0])
    assert default is not None
    full = DeviceName(
        name.job or default.job,
        default.replica if name.replica is None else name.replica,
        default.task if name.task is None else name.task,
        name.type or "CPU",
        name.device_index or 0,
    )
    if str(full) not in devices:
        raise errors.InternalError(
            None, None, f"Currently don't support instantiating functions on device: {full}"
        )


LOCAL_TARGET = internal_op("_LocalTarget", "target: string ->", _check_target)
LOCAL_TARGET.must_run = LOCAL_TARGET.has_effects = True
