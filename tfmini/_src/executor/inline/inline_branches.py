"""inline_branches: expands If and Case to Switches, branch bodies and Merges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tfmini._src.base import dtypes
from tfmini._src.executor.inline.inline_calls import add_function, fail_call
from tfmini._src.executor.inline.inline_checks import predicate_error
from tfmini._src.executor.inline.inline_nodes import Call, CallNodeBuilder, CallReplacement, Work
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.executor.inline.inline import InlinedGraph

# Builds a branch from its inputs and predicate; returns results and side-effecting nodes.
Expansion = Work[tuple[list[Tensor], list[Operation]]]
Branch = Callable[[list[Tensor], Operation], Expansion]


def conditional(inlined: InlinedGraph, call: Call) -> Work[CallReplacement]:
    """Builds a conditional: the first input selects the branch, the others are passed to both."""
    attrs = call.op.attrs
    condition, *inputs = call.inputs
    problem = predicate_error(call, condition.dtype, "Switch", "pred", "switch_pred")
    if problem is not None:
        return fail_call(inlined, call, problem)
    predicate = CallNodeBuilder(inlined.graph, call).predicate(condition, call.controls)
    true_branch = _inserter(inlined, call, attrs["then_branch"], "then/")
    else_branch = _inserter(inlined, call, attrs["else_branch"], "else/")
    return (yield from _conditional(inlined, call, predicate, inputs, true_branch, else_branch))


def case(inlined: InlinedGraph, call: Call) -> Work[CallReplacement]:
    """Builds a `Case`: the first input is the branch index; an index out of range selects the last branch."""
    index, *inputs = call.inputs
    branches = [
        _inserter(inlined, call, function, f"branch_{index}/")
        for index, function in enumerate(call.op.attrs["branches"])
    ]
    nodes = CallNodeBuilder(inlined.graph, call)
    if len(branches) == 1:
        arguments = [nodes.identity(tensor, "input", call.controls) for tensor in inputs]
        results, required = yield from branches[0](arguments, index.op)
        return CallReplacement(results, index.op, required)

    def remaining_branches(
        first: int, tensors: list[Tensor], controls: Sequence[Operation]
    ) -> Work[CallReplacement]:
        """Chooses between branch `first` and the following ones; `tensors` holds the branch index, then the inputs."""
        compared = {"T": dtypes.int32, "incompatible_shape_error": True}
        index = nodes.constant(first, dtypes.int32, f"number_{first}", [tensors[0].op])
        comparison = nodes.add("Equal", f"is_{first}", [tensors[0], index], controls, **compared)

        def other_branches(arguments: list[Tensor], pivot: Operation) -> Expansion:
            if first + 2 == len(branches):
                return (yield from branches[-1](arguments[1:], pivot))
            replaced = yield remaining_branches(first + 1, arguments, [pivot])
            return replaced.outputs, replaced.effects

        def this(arguments: list[Tensor], pivot: Operation) -> Expansion:
            return branches[first](arguments[1:], pivot)

        predicate = comparison.outputs[0]
        return (
            yield from _conditional(
                inlined, call, predicate, tensors, this, other_branches, controls
            )
        )

    replaced: CallReplacement = yield remaining_branches(0, [index, *inputs], call.controls)
    return replaced


def _inserter(inlined: InlinedGraph, call: Call, called: NameAttrList, scope_name: str) -> Branch:
    types = [tensor.dtype.base_dtype for tensor in call.op.outputs]

    def insert_call(inputs: list[Tensor], pivot: Operation) -> Expansion:
        return add_function(inlined, call, called, inputs, types, [pivot], scope_name)

    return insert_call


def _conditional(
    inlined: InlinedGraph,
    call: Call,
    predicate: Tensor,
    inputs: Sequence[Tensor],
    true_branch: Branch,
    else_branch: Branch,
    controls: Sequence[Operation] | None = None,
) -> Work[CallReplacement]:
    """Adds the nodes of a two-way conditional."""
    nodes = CallNodeBuilder(inlined.graph, call)
    controls = call.controls if controls is None else controls
    pivots = nodes.add("Switch", "pivot", [predicate, predicate], controls, T=dtypes.bool)
    branch_pivots = [
        nodes.identity(pivots.outputs[side], name)
        for side, name in enumerate(("switch_f", "switch_t"))
    ]
    sides: list[list[Tensor]] = [[], []]
    for tensor in inputs:
        if tensor.dtype._is_ref_dtype:
            tensor = nodes.identity(tensor, "value", controls)
        switch = nodes.add("Switch", "switch", [tensor, predicate], controls, T=tensor.dtype)
        for side, output in zip(sides, switch.outputs):
            side.append(output)
    results, required = yield from else_branch(sides[0], branch_pivots[0].op)
    other_results, other_required = yield from true_branch(sides[1], branch_pivots[1].op)
    merges = [
        nodes.add("Merge", "merge", pair, T=pair[0].dtype.base_dtype, N=2).outputs[0]
        for pair in zip(results, other_results)
    ]
    executed = nodes.add("Merge", "executed", branch_pivots, T=dtypes.bool, N=2)
    return CallReplacement(merges, executed, [*required, *other_required])
