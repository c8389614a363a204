"""Checks that values agree between two branches, or before and after an iteration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.nest.structure import assert_same_structure, flatten
from tfmini._src.base.shapes import dims_allow
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.ops import ops


def check_branches(first: Sequence[Any], second: Sequence[Any], names: Sequence[str]) -> None:
    """Raises TypeError for the first name whose values differ in structure or dtype."""
    for a, b, name in zip(first, second, names):
        try:
            assert_same_structure(a, b, expand_composites=True)
        except (ValueError, TypeError) as error:
            raise TypeError(
                f'"{name}" does not have the same nested structure in the TRUE and FALSE branches.\n\n{error}'
            ) from None
        for left_tensor, other in zip(flatten(a), flatten(b)):
            pair = _comparable(left_tensor, other)
            if pair is not None and pair[0].dtype != pair[1].dtype:
                raise TypeError(
                    f'"{name}" has dtype {pair[0].dtype.name} in the TRUE branch, but dtype={pair[1].dtype.name} in '
                    "the FALSE branch. TensorFlow control flow requires that they are the same."
                )


def check_iteration(
    before: Sequence[Any], after: Sequence[Any], names: Sequence[Any], with_shapes: bool = True
) -> None:
    """Raises TypeError or ValueError for the first name whose value changes its structure, dtype or shape."""
    for a, b, name in zip(before, after, names):
        try:
            assert_same_structure(a, b, expand_composites=True)
        except (ValueError, TypeError) as error:
            raise TypeError(
                f'"{name}" does not have the same nested structure after one iteration.\n\n{error}'
            ) from None
        for left_tensor, other in zip(flatten(a), flatten(b)):
            pair = _comparable(left_tensor, other)
            if pair is not None:
                _check_pair(name, pair[0], pair[1], with_shapes)


def _check_pair(name: Any, before: Any, after: Any, with_shapes: bool) -> None:
    if before.dtype != after.dtype:
        raise TypeError(
            f'"{name}" has dtype {before.dtype.name} before the loop, but dtype {after.dtype.name} after one '
            "iteration. TensorFlow control flow requires it stays the same."
        )
    if with_shapes and not dims_allow(before.shape._dims, after.shape._dims):
        raise ValueError(
            f'"{name}" has shape {before.shape} before the loop, but shape {after.shape} after one iteration. '
            "TensorFlow control flow requires it stays the same or be more specific."
        )


def _comparable(a: Any, b: Any) -> Any:
    """Returns both values as tensors; None if one is not a tensor."""
    a, b = (
        ops.convert_to_tensor(x) if isinstance(x, bool | int | float | str) else x for x in (a, b)
    )
    both = is_tensor(a) and is_tensor(b)
    return (a, b) if both and hasattr(a, "shape") and hasattr(b, "shape") else None
