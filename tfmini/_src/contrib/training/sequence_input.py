"""An input sequence, converted and checked before segmentation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.training.segment_checks import (
    checked_multiple,
    checked_rank,
    checked_sizes,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

Named = dict[str, Tensor]


@dataclass(frozen=True, eq=False)
class SequenceInput:
    """A sequence, with parts sorted by name.

    Attributes:
      length: a scalar int32, the number of steps before padding.
      padded_length: a scalar int32, a multiple of the segment length.
      key: a scalar string.
      sequences: tensors [padded_length, ...].
      context: values valid for all steps.
      states: initial states of the first segment.
    """

    length: Tensor
    padded_length: Tensor
    key: Tensor
    sequences: Named
    context: Named
    states: Named


def _check_labels(arguments: dict, role: str) -> None:
    for label in arguments:
        if not isinstance(label, str):
            article = "a " if role == "state name" else ""
            raise TypeError(f"{role} must be {article}string: {label}")
        if ":" in label:
            raise ValueError(f"{role} may not have a colon: '{label}'")


def check_states(states: Any) -> None:
    """Checks that states are a nonempty dictionary."""
    if not isinstance(states, dict):
        raise TypeError("initial_states must be a dictionary")
    if not states:
        raise ValueError(
            "initial_states may not be empty: at least one state variable is required to properly enqueue split "
            "sequences to run in separate iterations"
        )
    _check_labels(states, "state name")


def _convert_arguments(arguments: dict, role: str) -> Named:
    return {label: convert_to_tensor(v, name=f"{role}_{label}") for label, v in arguments.items()}


def _check_known(arguments: Named, role: str, first: int) -> None:
    for label, value in arguments.items():
        if not value.shape[first:].is_fully_defined():
            note = "(ignoring first dimension)" if first else ""
            raise ValueError(f"Shape for {role} {label} is not fully defined {note}: {value.shape}")


def _sort_by_name(arguments: Named) -> Named:
    return dict(sorted(arguments.items()))


def sequence_input(
    length: Any, key: Any, sequences: Any, context: Any, states: dict, num_unroll: int
) -> SequenceInput:
    """Creates a `SequenceInput`, checking its sizes."""
    length = convert_to_tensor(length, name="length")
    key = convert_to_tensor(key, name="key")
    for argument, item in (("sequences", sequences), ("context", context)):
        if not isinstance(item, dict):
            raise TypeError(f"{argument} must be a dict")
    if not sequences:
        raise ValueError("must have at least one sequence tensor")
    _check_labels(sequences, "sequence key")
    _check_labels(context, "context key")
    sequences, context = (
        _convert_arguments(sequences, "sequence"),
        _convert_arguments(context, "context"),
    )
    states = _convert_arguments(states, "state")
    _check_known(states, "state", 0)
    _check_known(context, "context", 0)
    _check_known(sequences, "sequence", 1)
    sequences = _sort_by_name(sequences)
    length, key = checked_rank(length, 0), checked_rank(key, 0)
    for argument, value, dtype in (("length", length, dtypes.int32), ("key", key, dtypes.string)):
        if value.dtype != dtype:
            raise TypeError(f"{argument} dtype must be {dtype.name}, but received: {value.dtype}")

    steps = ops.identity(ops.shape(next(iter(sequences.values())))[0], name="padded_length")
    steps = checked_multiple(steps, num_unroll)
    sequences = {
        label: checked_sizes(value, [0], [steps], f"sorted_sequences_{label}")
        for label, value in sequences.items()
    }
    message = ["Input length should be <= than length from sequences:", length, " vs. ", steps]
    with control_dependencies([ops.Assert(ops.less_equal(length, steps), message)]):
        length = ops.identity(length)
    return SequenceInput(
        length, steps, key, sequences, _sort_by_name(context), _sort_by_name(states)
    )
