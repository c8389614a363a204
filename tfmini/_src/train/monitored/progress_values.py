"""Scalars that a training step can display without side effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.traversal import reachable_from

_MAX_VALUES = 3
_READ_OP = "ReadVariableOp"  # stateful, but without side effects


def leaves(fetches: Any) -> Iterator[Any]:
    """Yields the fetches in nested lists, tuples and dicts."""
    if isinstance(fetches, Mapping):
        fetches = list(fetches.values())
    if isinstance(fetches, list | tuple):
        for fetch in fetches:
            yield from leaves(fetch)
    else:
        yield fetches


def scalars_to_show(fetched: list[Any], losses: list[Any]) -> list[Tensor]:
    """Returns floating scalars among a step's fetches, else losses computable without further feeds or side effects."""
    elements = [element for element in fetched if isinstance(element, Tensor | Operation)]
    scalars = [item for item in elements if isinstance(item, Tensor) and _is_scalar(item)]
    if scalars:
        return scalars[:_MAX_VALUES]
    run = reachable_from(
        [item.op if isinstance(item, Tensor) else item for item in elements], _data_inputs
    )
    return [loss for loss in losses if _is_scalar(loss) and _is_free(loss.op, run)]


def _is_scalar(element: Any) -> bool:
    return (
        isinstance(element, Tensor)
        and element.dtype.is_floating
        and element.shape.ndims == 0
        and element.op._get_control_flow_context() is None
    )


def _is_free(operation: Operation, run: Mapping[Operation, None]) -> bool:
    """Whether an operation needs no feeds and has no side effects beyond the running operations' effects."""
    new_ops = [op for op in reachable_from([operation], _data_inputs) if op not in run]
    return not any(
        op.type.startswith("Placeholder") or (op._is_stateful and op.type != _READ_OP)
        for op in new_ops
    )


def _data_inputs(operation: Operation) -> list[Operation]:
    return [*(tensor.op for tensor in operation.inputs), *operation.control_inputs]
