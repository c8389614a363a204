"""Initial values of variables that a function makes: computed outside of it, where its variables are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.eager.eager_constant import eager_constant
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class _Lifting(threading.local):
    """Whether this thread traces a function that lifts initial values."""

    is_on = False


_lifting = _Lifting()


@contextmanager
def lifting_initial_values(is_on: bool = True) -> Iterator[None]:
    """A block in which variables of a function may have tensors of the function as initial values."""
    before, _lifting.is_on = _lifting.is_on, is_on
    try:
        yield
    finally:
        _lifting.is_on = before


def lifts_initial_values() -> bool:
    """Whether `lifted` is to be asked for initial values that are tensors of a function."""
    return _lifting.is_on


def lifted(value: Tensor) -> Any:
    """The tensor computed once more here, outside of the function that it is of; None if it depends on its arguments.

    Nodes are added to the default graph, or run in eager mode.
    """
    made: dict[Tensor, Any] = {}
    stack = [value.op]
    while stack:
        op = stack[-1]
        missing = [t.op for t in op.inputs if t not in made]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if op.outputs and op.outputs[0] in made:
            continue
        outputs = _outputs(op, made)
        if outputs is None:
            return None
        made.update(zip(op.outputs, outputs))
    return made[value]


def _outputs(op: Operation, made: dict[Tensor, Any]) -> list[Any] | None:
    """The outputs of an operation outside of its function, for inputs that are there already."""
    if op.type in ("Placeholder", "PlaceholderV2"):
        outside = op.outputs[0].__dict__.get("_captured_from")
        if outside is None:
            return None
        return [outside if not _is_inside(outside) else lifted(outside)]
    if op.type == "Const":
        array = op.attrs["value"].array
        is_eager = executing_eagerly()
        return [eager_constant(array) if is_eager else ops.constant(array, dtype=op.attrs["dtype"])]
    inputs = [made[tensor] for tensor in op.inputs]
    given: list[Any] = []
    for arg in op.opdef.inputs:
        count = arg.count(op.attrs)
        given.append(inputs[:count] if arg.is_list else inputs[0])
        inputs = inputs[count:]
    attrs = {name: _attr(op, op.attrs[name]) for name in op.opdef.settable if name in op.attrs}
    results = op.opdef(*given, **attrs)
    if isinstance(results, Operation) or results is None:
        return []
    parts = results if isinstance(results, list | tuple) else [results]
    return [t for part in parts for t in (part if isinstance(part, list) else [part])]


def _is_inside(tensor: Any) -> bool:
    """Whether a tensor is of a function, too."""
    graph = None if executing_eagerly() and hasattr(tensor, "_array") else tensor.graph
    return graph is not None and graph.building_function


def _attr(op: Operation, value: Any) -> Any:
    """An attr as a call takes it: a function itself for its name."""
    if isinstance(value, NameAttrList):
        return op.graph._functions.get(value.name, value)
    return value
