"""Loop variables added for gradients: an iteration counter, and sums over the iterations.

A loop variable consists of an Enter, a Merge of it with a NextIteration, a Switch on the loop's predicate, and an
Exit. The functions here are called in the context around the loop, except for the sums, which are called inside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base.dtypes import resource
from tfmini._src.graph import raw
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor


@contextmanager
def enter_loop_context(context: Any) -> Iterator[None]:
    """Context manager whose nodes belong to `context`; None means no change."""
    if context is None:
        yield
        return
    context.Enter()
    try:
        yield
    finally:
        context.Exit()


@contextmanager
def leave_context(context: Any) -> Iterator[None]:
    """Context manager that leaves `context`, which must be the innermost context."""
    context.Exit()
    try:
        yield
    finally:
        context.Enter()


def _enter_loop(context: Any, start: Tensor, name: str) -> Tensor:
    """Creates an Enter that passes `start` into the loop."""
    context.AddName(start.name)
    result = raw.Enter(
        start,
        frame_name=context.name,
        is_constant=False,
        parallel_iterations=context.parallel_iterations,
        name=name,
    )
    context.loop_enters.append(result)
    return result


def _exit_loop(context: Any, tensor: Tensor, name: str) -> Tensor:
    """Creates an Exit that passes `tensor` out of the loop."""
    result = raw.Exit(tensor, name=name)
    context.loop_exits.append(result)
    return result


def add_forward_counter(context: Any, dependency: Any) -> tuple[Tensor, Tensor]:
    """Adds an iteration counter to a loop; it runs after the node `dependency`, if any.

    Returns the final count, and the NextIteration that each iteration must precede.
    """
    start = ops.constant(0, name="f_count")
    if dependency is not None:
        start.op._add_control_input(dependency)
    with enter_loop_context(context):
        enter_value = _enter_loop(context, start, "f_count")
        enter_value.set_shape(start.shape)
        merged = ops.merge([enter_value, enter_value])[0]
        leaves, stays = ops.switch(merged, context.pivot)
        next_count = raw.NextIteration(ops.add(stays, 1))
        merged.op._update_input(1, next_count)
        total = _exit_loop(context, leaves, "f_count")
        context.ExitResult([total])
    return total, next_count


def add_backward_counter(context: Any, count: Tensor, before: Any) -> Tensor:
    """Limits a loop to `count` iterations, setting the predicate and pivot of `context`.

    The node returned by `before()`, if any, waits for the end of the loop. Returns the NextIteration.
    """
    one = ops.constant(1, name="b_count")
    with enter_loop_context(context):
        enter_value = _enter_loop(context, count, "b_count")
        enter_value.set_shape(count.shape)
        merged = ops.merge([enter_value, enter_value])[0]
        context._pivot_for_pred = merged
        context._pivot = raw.LoopCond(ops.greater_equal(merged, one), name="b_count")
        leaves, stays = ops.switch(merged, context.pivot)
        index = ops.subtract(stays, one)
        context._pivot_for_body = index
        next_count = raw.NextIteration(index)
        merged.op._update_input(1, next_count)
        zero = _exit_loop(context, leaves, "b_count")
        if before is not None:
            before()._add_control_input(zero.op)
        context.ExitResult([zero])
    return next_count


def sum_invariant_gradient(context: Any, op: Any, grad: Any) -> Any:
    """Returns the gradient of a loop invariant, which the constant Enter `op` enters, summed over all iterations."""
    if isinstance(grad, IndexedSlices):
        return _concat_slices(context, op, grad)
    if not isinstance(grad, Tensor):
        raise TypeError(f"Type {type(grad)} not supported")
    with leave_context(context):
        start = _initial_sum(context, op.inputs[0], grad)
    enter_value = _enter_loop(context, start, "b_acc")
    enter_value.set_shape(start.shape)
    merged = ops.merge([enter_value, enter_value], name="b_acc")[0]
    leaves, stays = ops.switch(merged, context.pivot)
    merged.op._update_input(1, raw.NextIteration(ops.add(stays, grad)))
    total = _exit_loop(context, leaves, "b_acc")
    context.ExitResult([total])
    return total


def _initial_sum(context: Any, value: Tensor, grad: Tensor) -> Tensor:
    """Returns zeros like the gradient of `value`: the result of a loop without iterations."""
    enclosing_context = context.outer_context
    if grad.shape.is_fully_defined():
        with enter_loop_context(enclosing_context):
            return ops.constant(0, grad.dtype, shape=grad.shape, name="b_acc")
    if (
        enclosing_context is not None
        and enclosing_context.IsWhileContext()
        and enclosing_context.grad_state is not None
    ):
        with enter_loop_context(context.grad_state.forward.outer_context):
            shape = ops.shape_internal(value, optimize=False)
        outer = context.grad_state.outer
        history = outer.record_value(shape)
        with enter_loop_context(enclosing_context):
            return ops.zeros(outer.pop_forward_value(history, shape), grad.dtype)
    with enter_loop_context(enclosing_context):
        return ops.zeros(ops.shape_internal(value, optimize=False), grad.dtype)


def _concat_slices(context: Any, op: Any, grad: IndexedSlices) -> IndexedSlices:
    """Returns the concatenated slices of all iterations, preceded by a row of zeros for row 0."""
    with leave_context(context), enter_loop_context(context.outer_context):
        starts = _initial_slices(op, grad)
    enter_values = [_enter_loop(context, start, "b_acc") for start in starts]
    enter_values[0].set_shape([None])
    if starts[1].shape.dims is not None:
        enter_values[1].set_shape([None, *starts[1].shape.as_list()[1:]])
    merged = [ops.merge([tensor, tensor], name="b_acc")[0] for tensor in enter_values]
    switched = [ops.switch(tensor, context.pivot) for tensor in merged]
    values = [
        ops.concat([stays, new], 0)
        for (_, stays), new in zip(switched, (grad.indices, grad.values))
    ]
    if grad.dense_shape is not None:
        values.append(ops.maximum(grad.dense_shape, switched[2][1]))
    next_values = [raw.NextIteration(value) for value in values]
    for tensor, value in zip(merged, next_values):
        tensor.op._update_input(1, value)
    exits = [_exit_loop(context, leaves, "b_acc") for leaves, _ in switched]
    context.ExitResult(exits)
    indices, joined, *shape = exits
    return IndexedSlices(joined, indices, shape[0] if shape else None)


def _initial_slices(op: Any, grad: IndexedSlices) -> list[Tensor]:
    """Returns the initial values for accumulating slices: an index, a row of zeros, and a zero shape if known."""
    source, dense_shape = op.inputs[0], grad.dense_shape
    if grad.values.shape.is_fully_defined():
        shape = [1, *grad.values.shape.as_list()[1:]]
        values = ops.constant(0, grad.values.dtype, shape=shape, name="b_acc")
    else:
        values = ops.zeros(ops.concat([[1], _variable_shape(source)[1:]], 0), grad.values.dtype)
    starts = [ops.constant([0], grad.indices.dtype), values]
    if dense_shape is not None:
        if dense_shape.shape.is_fully_defined():
            start = ops.constant(0, dense_shape.dtype, shape=dense_shape.shape)
        else:
            shape = ops.shape_internal(source, optimize=False, out_type=dense_shape.dtype)
            start = ops.zeros_like(shape, optimize=False)
        starts.append(start)
    return starts


def _variable_shape(tensor: Tensor) -> Any:
    """Returns the shape of a tensor, or of the variable behind a handle."""
    if tensor.dtype != resource:
        return ops.shape_internal(tensor, optimize=False)
    while tensor.op.inputs:
        tensor = tensor.op.inputs[0]
    return list(tensor.op.attrs["shape"])


def control_trigger(context: Any, name: str) -> Any:
    """Creates a node in the loop that only serves as a control input."""
    with control_dependencies(None):
        trigger = raw.ControlTrigger(name=name)
    trigger._set_control_flow_context(context)
    return trigger
