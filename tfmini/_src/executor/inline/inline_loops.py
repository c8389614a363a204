"""inline_loops: expands While and For to a frame: Enters, Merges, the condition and the loop body, Exits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, errors
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import Dims
from tfmini._src.devices.arrays import Array
from tfmini._src.executor.inline.inline_calls import add_function, fail_call
from tfmini._src.executor.inline.inline_checks import predicate_error
from tfmini._src.executor.inline.inline_nodes import (
    Call,
    CallNodeBuilder,
    CallReplacement,
    Work,
    internal_op,
    replace_input,
)
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.operands import shape_text

if TYPE_CHECKING:
    from tfmini._src.executor.inline.inline import InlinedGraph

# Builds a part of a loop from its variables and predicate; returns results and side-effecting nodes.
Expansion = Work[tuple[list[Tensor], list[Operation]]]
Part = Callable[[list[Tensor], Operation], Expansion]


def while_loop(inlined: InlinedGraph, call: Call) -> Work[CallReplacement]:
    """Expands a While: repeats function `body` while function `cond` is true."""
    attrs = call.op.attrs
    types = [tensor.dtype.base_dtype for tensor in call.op.outputs]
    result_types = _result_types(inlined, call, attrs["cond"])
    if len(result_types) != 1:
        text = f"Expected a single scalar return value from WhileOp cond, got {len(result_types)} tensors."
        return fail_call(inlined, call, errors.InvalidArgumentError(None, call.op, text))
    problem = _body_arity_error(inlined, call, "While", len(types))
    problem = problem or predicate_error(call, result_types[0], "LoopCond", "input", "LoopCond")
    if problem is not None:
        return fail_call(inlined, call, problem)

    def condition(variables: list[Tensor], pivot: Operation) -> Expansion:
        return add_function(inlined, call, attrs["cond"], variables, result_types, [pivot], "cond/")

    def iteration(variables: list[Tensor], pivot: Operation) -> Expansion:
        return add_function(inlined, call, attrs["body"], variables, types, [pivot], "body/")

    same = _unchanged_variables(inlined, call, attrs["body"])
    # Without shape invariants, the graph's shapes hold only for the initial values.
    shapes = attrs["output_shapes"]
    declared_dims = [tensor._dims if shapes else None for tensor in call.op.outputs]
    has_effects = bool(inlined.body(attrs["body"], call).effects)
    return (
        yield from _add_loop(
            inlined, call, call.inputs, declared_dims, same, condition, iteration, has_effects
        )
    )


def for_loop(inlined: InlinedGraph, call: Call) -> Work[CallReplacement]:
    """Expands a For: calls function `body` with each number from start to limit and the loop variables."""
    nodes = CallNodeBuilder(inlined.graph, call)
    start, limit, delta, *inputs = call.inputs
    types = [tensor.dtype.base_dtype for tensor in call.op.outputs]
    problem = _body_arity_error(inlined, call, "For", len(types))
    if problem is not None:
        return fail_call(inlined, call, problem)
    checked_start = nodes.add(RANGE, "start", [start, limit, delta], call.controls).outputs[0]

    def condition(variables: list[Tensor], pivot: Operation) -> Expansion:
        yield from ()
        return [nodes.add(CONTINUE_OP, "goes_on", variables[:3]).outputs[0]], []

    def iteration(variables: list[Tensor], pivot: Operation) -> Expansion:
        index, limit, delta, *carried = variables
        body = call.op.attrs["body"]
        arguments = [index, *carried]
        results, required = yield from add_function(
            inlined, call, body, arguments, types, [pivot], "body/"
        )
        next_number = nodes.add("Add", "next_number", [index, delta], T=dtypes.int32)
        return [next_number.outputs[0], limit, delta, *results], required

    unchanged = [False, True, True] + [False] * len(inputs)
    declared_dims: list[Dims] = [(), (), ()] + [None] * len(inputs)
    variables = [checked_start, limit, delta, *inputs]
    replaced = yield from _add_loop(
        inlined, call, variables, declared_dims, unchanged, condition, iteration
    )
    return CallReplacement(replaced.outputs[3:], replaced.done, replaced.effects)


def _body_arity_error(
    inlined: InlinedGraph, call: Call, loop_type: str, count: int
) -> errors.InvalidArgumentError | None:
    """Returns the error for a body whose number of results differs from the number of loop variables."""
    returned = len(_result_types(inlined, call, call.op.attrs["body"]))
    if returned == count:
        return None
    text = f"{loop_type} loop body returned {returned} arguments. Expected: {count}"
    return errors.InvalidArgumentError(None, call.op, text)


def _result_types(inlined: InlinedGraph, call: Call, called: NameAttrList) -> list[DType]:
    return [tensor.dtype.base_dtype for tensor in inlined.body(called, call).results]


def _unchanged_variables(inlined: InlinedGraph, call: Call, called: NameAttrList) -> list[bool]:
    """Returns, for each loop variable, whether the body returns it unchanged."""
    body = inlined.body(called, call)
    unchanged = []
    for argument, result in zip(body.arguments, body.results):
        while result.op.type == "Identity" and not result.op._control_inputs:
            result = result.op.inputs[0]
        unchanged.append(result is argument.outputs[0])
    return unchanged


def _add_loop(
    inlined: InlinedGraph,
    call: Call,
    inputs: Sequence[Tensor],
    declared_dims: Sequence[Dims],
    same: Sequence[bool],
    condition: Part,
    iteration: Part,
    has_effects: bool = False,
) -> Work[CallReplacement]:
    """Adds the nodes of a loop.

    Args:
      declared_dims: the static shapes of the loop variables, for all iterations.
      same: whether each is a loop invariant, which enters the frame once.
      has_effects: whether body nodes have side effects: nodes without inputs then also wait for the condition,
        unlike the frame's constants.
    """
    if not inputs:
        raise errors.InvalidArgumentError(None, call.op, f"Loop '{call.name}' has no variables")
    nodes = CallNodeBuilder(inlined.graph, call)
    same = list(same)
    if all(same):  # a loop needs at least one varying variable
        same[0] = False
    settings = {
        "frame_name": f"{call.name}/frame",
        "parallel_iterations": call.op.attrs.get("parallel_iterations", 10),
    }
    enter_tensors = []
    for tensor, is_same in zip(inputs, same):
        if tensor.dtype._is_ref_dtype:
            tensor = nodes.identity(tensor, "value", call.controls)
        enter = nodes.add(
            "Enter",
            "enter",
            [tensor],
            call.controls,
            T=tensor.dtype,
            is_constant=is_same,
            **settings,
        )
        enter.outputs[0]._dims = tensor._dims
        enter_tensors.append(enter.outputs[0])
    variables = list(enter_tensors)
    merges: list[Operation] = []
    for index, tensor in enumerate(enter_tensors):
        if not same[index]:
            placeholder = Tensor(None, 0, tensor.dtype)
            merge = nodes.add("Merge", "merge", [tensor, placeholder], T=tensor.dtype, N=2)
            merge.outputs[0]._dims = declared_dims[index]
            merges.append(merge)
            variables[index] = merge.outputs[0]
    (condition_value,), required = yield from condition(list(variables), merges[0])
    loop_condition = nodes.add("LoopCond", "loop_cond", [nodes.predicate(condition_value)]).outputs[
        0
    ]
    outputs = list(inputs)
    body_values = list(variables)
    exits = []
    for index, tensor in enumerate(variables):
        if same[index]:
            continue
        switch = nodes.add("Switch", "switch", [tensor, loop_condition], T=tensor.dtype)
        body_values[index] = nodes.identity(switch.outputs[1], "identity")
        exits.append(nodes.add("Exit", "exit", [switch.outputs[0]], T=tensor.dtype))
        exits[-1].outputs[0]._dims = declared_dims[index]
        outputs[index] = exits[-1].outputs[0]
    pivot = next(body_values[n].op for n, is_same in enumerate(same) if not is_same)
    if has_effects:
        for index, tensor in enumerate(variables):
            if same[index]:
                body_values[index] = nodes.identity(tensor, "identity", [pivot])
    results, required_ops = yield from iteration(list(body_values), pivot)
    round_again = [t for t, is_same in zip(results, same) if not is_same]
    for merge, tensor in zip(merges, round_again):
        next_iteration = nodes.add("NextIteration", "next", [tensor], T=tensor.dtype.base_dtype)
        replace_input(merge, 1, next_iteration.outputs[0])
    done_marker = nodes.add("NoOp", "left", [], exits[:1])
    return CallReplacement(outputs, done_marker, [*required, *required_ops])


def _check_range(xp: ModuleType, start: Array, limit: Array, delta: Array) -> Array:
    """Returns the start; raises unless all are scalars and steps of delta lead from it to the limit."""
    for name, value in (("start", start), ("limit", limit), ("delta", delta)):
        if value.ndim:
            invalid(f"{name} must be a scalar, but {shape_text(value.shape)}")
    if start != limit and (not delta or (limit - start) * delta < 0):
        invalid(f"Invalid start/limit/delta: {start} {limit} {delta}")
    return start


def _should_continue(xp: ModuleType, index: Array, limit: Array, delta: Array) -> Any:
    """Whether a For has another iteration."""
    return xp.bool_(index < limit if delta > 0 else index > limit)


RANGE = internal_op(
    "_Range", "start: int32, limit: int32, delta: int32 -> output: int32", _check_range
)
RANGE.infer(lambda op: ())
CONTINUE_OP = internal_op(
    "_GoesOn", "number: int32, limit: int32, delta: int32 -> output: bool", _should_continue
)
CONTINUE_OP.infer(lambda op: ())
