"""One step of a batch of variable-length sequences; ended rows keep their state and output zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import assert_same_structure, flatten, pack_sequence_as
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


def keep_ended_rows(has_ended: Any, old_value: Any, new: Any) -> Any:
    """Selects `old_value` in rows that have ended and `new` in others; TensorArrays and scalars are always new."""
    if isinstance(old_value, TensorArray) or old_value.shape.ndims == 0:
        return new
    with colocate_with(new):
        return ops.where(has_ended, old_value, new)


class Lengths:
    """The sequence lengths of a batch, an int32 vector tensor, with their minimum and maximum."""

    def __init__(self, lengths: Any):
        self.per_row = lengths
        self.shortest = ops.reduce_min(lengths)
        self.maximum = ops.reduce_max(lengths)


def step_with_mask(
    time: Any, lengths: Lengths, zero_output: Any, state: Any, call_cell: Callable
) -> tuple[Any, Any]:
    """Returns the cell's output and next state, with zeros and the old state in rows that have ended.

    Args:
      time: the number of the step, an int or an int32 scalar tensor.
      lengths: the lengths of the batch.
      zero_output: zeros in the structure of the cell's output.
      state: the cell's state.
      call_cell: a function without arguments that returns the cell's output and next state.
    """
    old = [*flatten(zero_output), *flatten(state)]
    has_ended = time >= lengths.per_row
    new = _call_cell(call_cell, zero_output, state)
    masked = [keep_ended_rows(has_ended, old_value, value) for old_value, value in zip(old, new)]
    return _pack(masked, old, zero_output, state)


def conditional_step(
    time: Any, lengths: Lengths, zero_output: Any, state: Any, call_cell: Callable
) -> tuple[Any, Any]:
    """`step_with_mask` that skips the cell once all rows have ended, and skips masking while none has."""
    old = [*flatten(zero_output), *flatten(state)]
    has_ended = time >= lengths.per_row

    def some_rows() -> Any:
        new = _call_cell(call_cell, zero_output, state)
        return ops.cond(
            time < lengths.shortest,
            lambda: new,
            lambda: [
                keep_ended_rows(has_ended, old_value, value) for old_value, value in zip(old, new)
            ],
        )

    selected = ops.cond(time >= lengths.maximum, lambda: old, some_rows)
    return _pack(selected, old, zero_output, state)


def _call_cell(call_cell: Callable, zero_output: Any, state: Any) -> list[Any]:
    """Calls the cell and returns its output and then its state in one flat list."""
    output, new_state = call_cell()
    assert_same_structure(zero_output, output)
    assert_same_structure(state, new_state)
    new_state = flatten(new_state)
    return [*flatten(output), *new_state]


def _pack(flat: Any, old: list[Any], zero_output: Any, state: Any) -> tuple[Any, Any]:
    """Splits a flat list into output and state, setting the static shapes of the previous values."""
    for value, old_value in zip(flat, old):
        if not isinstance(value, TensorArray):
            value.set_shape(old_value.get_shape())
    count = len(flatten(zero_output))
    return (
        pack_sequence_as(zero_output, flat[:count]),
        pack_sequence_as(state, flat[count:]),
    )
