"""Replacement of tensors and control inputs of existing operations."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.op_selection import make_list_of_op, make_list_of_t
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


def swap_ts(
    ts0: object, ts1: object, can_modify: object = None, cannot_modify: object = None
) -> int:
    """Swaps tensors among their consumers.

    Args:
      ts0, ts1: tensors, or lists of equal length, of the same dtypes and compatible shapes.
      can_modify: operations that may be modified; by default all.
      cannot_modify: operations that must not be modified.

    Returns:
      The number of changed inputs.

    Raises:
      ValueError: if numbers, dtypes or shapes differ.

    Example: `tf.contrib.graph_editor.swap_ts(a, b)`.
    """
    return _reroute_tensors(ts0, ts1, (True, True), can_modify, cannot_modify)


def reroute_ts(
    ts0: object, ts1: object, can_modify: object = None, cannot_modify: object = None
) -> int:
    """Replaces `ts1` with `ts0` in its consumers; same arguments and result as `swap_ts`."""
    return _reroute_tensors(ts0, ts1, (True, False), can_modify, cannot_modify)


def _reroute_tensors(
    ts0: Any, ts1: Any, ways: tuple[bool, bool], can_modify: Any, cannot_modify: Any
) -> int:
    pairs = _checked_pairs(make_list_of_t(ts0), make_list_of_t(ts1))
    unmodifiable = set() if cannot_modify is None else set(make_list_of_op(cannot_modify))
    modifiable = None if can_modify is None else set(make_list_of_op(can_modify))
    planned = []
    for first, second in pairs:
        if first is not second:
            reroutes = [(second, first)] if ways[0] else []
            reroutes += [(first, second)] if ways[1] else []
            planned += [(old, new, set(old.consumers())) for old, new in reroutes]
    change_count = 0
    # One by one, so that an operation with both tensors ends with one of them.
    for (
        old,
        new,
        consumers,
    ) in planned:
        for op in consumers:
            if op not in unmodifiable and (modifiable is None or op in modifiable):
                indices = [index for index, t in enumerate(op.inputs) if t is old]
                for index in indices:
                    op._update_input(index, new)
                change_count += len(indices)
    return change_count


def _checked_pairs(ts0: list[Tensor], ts1: list[Tensor]) -> list[tuple[Tensor, Tensor]]:
    if len(ts0) != len(ts1):
        raise ValueError(f"ts0 and ts1 have different sizes: {len(ts0)} != {len(ts1)}")
    for first, second in zip(ts0, ts1):
        if not first.dtype.is_compatible_with(second.dtype):
            raise ValueError(f"Dtypes {first.dtype} and {second.dtype} are not compatible.")
        shapes = first.get_shape(), second.get_shape()
        if not shapes[0].is_compatible_with(shapes[1]):
            raise ValueError(f"Shapes {shapes[0]} and {shapes[1]} are not compatible.")
    return list(zip(ts0, ts1))


def remove_control_inputs(op: Operation, cops: object) -> None:
    """Removes control inputs of an operation.

    Raises:
      TypeError: if `op` is not an operation.
      ValueError: if an operation is not among its control inputs.
    """
    if not isinstance(op, Operation):
        raise TypeError("Expected a tf.Operation, got: {}", type(op))
    cops = make_list_of_op(cops, allow_graph=False)
    for cop in cops:
        if cop not in op.control_inputs:
            raise ValueError(f"{op.name} is not a control_input of {cop.name}")
    selected = [control for control in op.control_inputs if control not in cops]
    op._remove_all_control_inputs()
    op._add_control_inputs(selected)


def add_control_inputs(op: Operation, cops: object) -> None:
    """Adds control inputs to an operation.

    Raises:
      TypeError: if `op` is not an operation.
      ValueError: if an operation is already among its control inputs.
    """
    if not isinstance(op, Operation):
        raise TypeError("Expected a tf.Operation, got: {}", type(op))
    cops = make_list_of_op(cops, allow_graph=False)
    for cop in cops:
        if cop in op.control_inputs:
            raise ValueError(f"{cop.name} is already a control_input of {op.name}")
    op._add_control_inputs(cops)
