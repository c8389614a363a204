"""Synchronization and aggregation modes for copies of a variable on several devices."""

from __future__ import annotations

import enum
from typing import Any


class VariableSynchronization(enum.Enum):
    """Modes of synchronizing the copies of a distributed variable."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """Modes of combining updates to the copies of a distributed variable."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, VariableAggregation | VariableAggregationV2)
            and self.value == other.value
        )


class VariableAggregationV2(enum.Enum):
    """The enum in `tf.compat.v2`, whose members equal the members of `VariableAggregation`."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3

    __hash__ = VariableAggregation.__hash__
    __eq__ = VariableAggregation.__eq__


def checked_modes(
    synchronization: Any, aggregation: Any, trainable: bool | None, name: str | None
) -> tuple[VariableSynchronization, VariableAggregation, bool]:
    """Returns both modes and `trainable` with defaults resolved; raises ValueError for invalid modes."""
    try:
        if isinstance(aggregation, VariableAggregationV2):
            aggregation = aggregation.value
        if aggregation.__class__ is not VariableAggregation:
            aggregation = VariableAggregation(0 if aggregation is None else aggregation)
    except ValueError:
        raise ValueError(
            f"Invalid variable aggregation mode: {aggregation} for variable: {name}"
        ) from None
    try:
        if synchronization.__class__ is not VariableSynchronization:
            synchronization = VariableSynchronization(
                0 if synchronization is None else synchronization
            )
    except ValueError:
        raise ValueError(
            f"Invalid variable synchronization mode: {synchronization} for variable: {name}"
        ) from None
    if trainable is None:
        trainable = synchronization != VariableSynchronization.ON_READ
    return synchronization, aggregation, trainable
