"""Flat values of RaggedTensors, for metrics and layers that operate on dense tensors."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.ops import ops

_MISMATCH_ERROR = "Inputs must have identical ragged splits"


def is_ragged(x: Any) -> bool:
    """Whether a value is a RaggedTensor."""
    return hasattr(x, "flat_values") and hasattr(x, "to_tensor")


def cast(x: Any, dtype: Any) -> Any:
    """Casts a tensor, which may be ragged."""
    if is_ragged(x):
        return x.with_flat_values(ops.cast(x.flat_values, dtype))
    return ops.cast(x, dtype)


def flat_values(values: list, weights: Any = None) -> tuple[list, Any]:
    """Returns the flat values of RaggedTensors whose last axis has size 1; dense tensors are returned unchanged.

    Args:
      values: tensors that are all ragged, with the same splits, or all dense.
      weights: None or a tensor; a ragged tensor must have the splits of the values.

    Raises:
      TypeError: if only some values, or only the weights, are ragged.
      ValueError: if they have different ragged ranks.
    """
    ragged = [is_ragged(value) for value in values]
    if not any(ragged):
        if is_ragged(weights):
            raise TypeError("Ragged mask is not allowed with non-ragged inputs.")
        return values, weights
    if not all(ragged) or not (weights is None or is_ragged(weights)):
        raise TypeError("One of the inputs does not have acceptable types.")
    splits = [value.nested_row_splits for value in values]
    shared_splits = _check_equal_splits(splits)
    if weights is not None:
        weights = _checked_flat_values(
            weights, _check_equal_splits([splits[0], weights.nested_row_splits])
        )
    return [_checked_flat_values(value, shared_splits) for value in values], weights


def _checked_flat_values(value: Any, checks: list) -> Any:
    with control_dependencies(checks):
        checked = ops.identity(value.flat_values, name="control_dependency")
    return ops.expand_dims(checked, -1)


def _check_equal_splits(nested: list) -> list:
    first = nested[0]
    if any(len(splits) != len(first) for splits in nested):
        raise ValueError(_MISMATCH_ERROR)
    return [
        ops.assert_equal(split, other, message=_MISMATCH_ERROR)
        for splits in nested[1:]
        for split, other in zip(first, splits)
    ]
