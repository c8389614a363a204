"""Lifts the initial values of variables created in a function out of the function, to where variables are created."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_constant import eager_constant
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import init_scope


class UnliftableError(Exception):
    """Raised if an initial value depends on a function argument, so that it cannot be computed outside."""


@dataclass
class VariableCreation:
    """Creation of variables, by calls of `tf.Variable(...)` in the body, during the tracing of a function.

    Attributes:
      arguments: maps argument placeholders to their values in the call being traced.
      lifts: whether tensors of the function may be initial values.
      forbids_creation: whether the function must not create variables.
      count: number of variables created.
    """

    arguments: dict[Tensor, Any]
    lifts: bool
    forbids_creation: bool
    count: int = 0


class _Lifting(threading.local):
    """The function that this thread is tracing, and whether a variable is being created."""

    creation: VariableCreation | None = None
    is_active = False


_lifting = _Lifting()


@contextmanager
def variable_creation(lifts: bool, forbids: bool = False) -> Iterator[VariableCreation]:
    """Context manager for the tracing of a function.

    Args:
      lifts: whether tensors of the function may be initial values of its variables.
      forbids: whether the function must not create variables, as in every call except the first.
    """
    previous_creation = _lifting.creation
    arguments = {} if previous_creation is None else dict(previous_creation.arguments)
    creation = _lifting.creation = VariableCreation(arguments, lifts, forbids)
    try:
        yield creation
    finally:
        _lifting.creation = previous_creation


def record_argument_value(argument: Tensor, value: Tensor) -> None:
    """Records the value of an argument in the call being traced."""
    assert _lifting.creation is not None
    _lifting.creation.arguments[argument] = value


@contextmanager
def creating_variable() -> Iterator[None]:
    """Context manager for a `tf.Variable(...)` call; in a function body, it counts as a creation by the function.

    A call in `tf.init_scope` counts too.
    """
    creation, was_on = _lifting.creation, _lifting.is_active
    is_eager = executing_eagerly()
    if creation is None or not (is_eager or get_default_graph().building_function):
        yield
        return
    if creation.forbids_creation:
        raise ValueError(
            "tf.function-decorated function tried to create variables on non-first call."
        )
    creation.count += 1
    if is_eager:
        yield
        return
    _lifting.is_active = creation.lifts
    try:
        yield
    finally:
        _lifting.is_active = was_on


def lift_initial_value(value: Tensor) -> Any:
    """Recomputes the initial value of a variable, a tensor of a function, outside of all functions.

    Raises ValueError unless the function is traced with `lifts`.
    """
    if not _lifting.is_active:
        raise ValueError(
            "Tensor-typed variable initializers must either be wrapped in an init_scope or callable "
            "(e.g., `tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when building functions. "
            "Please file a feature request if this restriction inconveniences you."
        )
    with init_scope():
        return lift(value)


def lift(value: Tensor) -> Any:
    """Recomputes a tensor of a function in the current context, outside of the function.

    Nodes are added to the default graph, or run in eager mode.
    """
    result: dict[Tensor, Any] = {}
    stack = [value.op]
    while stack:
        op = stack[-1]
        missing = [t.op for t in op.inputs if t not in result]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if op.outputs and op.outputs[0] in result:
            continue
        outputs = _recomputed_outputs(op, result)
        if outputs is None:
            path = " <- ".join(f"{step.name} ({step.type})" for step in _path(value.op, op))
            raise UnliftableError(
                f"Unable to lift tensor {value!r} because it depends transitively on placeholder {op!r} via at least "
                f"one path, e.g.: {path}"
            )
        result.update(zip(op.outputs, outputs))
    return result[value]


def _recomputed_outputs(op: Operation, recomputed: dict[Tensor, Any]) -> list[Any] | None:
    """Recomputes an operation outside of its function; returns its outputs, or None if an input is unavailable."""
    if op.type in ("Placeholder", "PlaceholderV2"):
        tensor = op.outputs[0]
        outer_tensor = tensor.__dict__.get("_captured_from")
        if outer_tensor is None and _lifting.creation is not None:
            outer_tensor = _lifting.creation.arguments.get(tensor)
        if outer_tensor is not None:
            return [outer_tensor if not _is_inside(outer_tensor) else lift(outer_tensor)]
        body: Any = op.graph
        if any(tensor is argument for argument in body.inputs):
            return None
    if op.type == "Const":
        array = op.attrs["value"].array
        is_eager = executing_eagerly()
        return [eager_constant(array) if is_eager else ops.constant(array, dtype=op.attrs["dtype"])]
    inputs = [recomputed[tensor] for tensor in op.inputs]
    values: list[Any] = []
    for arg in op.opdef.inputs:
        count = arg.count(op.attrs)
        values.append(inputs[:count] if arg.is_list else inputs[0])
        inputs = inputs[count:]
    attrs = {
        name: _attr(op, op.attrs[name]) for name in op.opdef.settable_attrs if name in op.attrs
    }
    results = op.opdef(*values, **attrs)
    if isinstance(results, Operation) or results is None:
        return []
    parts = results if isinstance(results, list | tuple) else [results]
    return [t for part in parts for t in (part if isinstance(part, list) else [part])]


def _path(op: Operation, target: Operation) -> list[Operation]:
    """Returns the path from an operation to one of its dependencies."""
    predecessors: dict[Operation, Operation | None] = {op: None}
    waiting = [op]
    while waiting:
        step: Operation | None = waiting.pop(0)
        if step is target:
            break
        for tensor in step.inputs:  # type: ignore[union-attr]
            if tensor.op not in predecessors:
                predecessors[tensor.op] = step
                waiting.append(tensor.op)
    path = []
    while step is not None:
        path.append(step)
        step = predecessors[step]
    return path[::-1]


def _is_inside(tensor: Any) -> bool:
    """Whether a tensor belongs to a function."""
    graph = None if executing_eagerly() and hasattr(tensor, "_array") else tensor.graph
    return graph is not None and graph.building_function


def _attr(op: Operation, value: Any) -> Any:
    """Converts an attr to the form accepted by op calls; a function name becomes the function object."""
    if isinstance(value, NameAttrList):
        return op.graph._functions.get(value.name, value)
    return value
