"""Roles of the dimensions of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# User specification of dimensions: one, several or none.
Named = int | Sequence[int] | None


@dataclass(frozen=True)
class Dimensions:
    """Indices of the dimensions of a grid, by role, in order."""

    count: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    first: tuple[int, ...]
    last: tuple[int, ...]
    recurrent: tuple[int, ...]


def dimensions(
    count: int, inputs: Named, outputs: Named, priority: Named, stateless: Named
) -> Dimensions:
    """Returns the dimensions of a grid by role; priority dimensions are computed last, from the other outputs."""
    if count < 1:
        raise ValueError(f"dims must be >= 1: {count}")
    read, output_dims, late, without = (
        _sorted_dims(named, count) for named in (inputs, outputs, priority, stateless)
    )
    indices = range(count)
    return Dimensions(
        count=count,
        inputs=read,
        outputs=output_dims,
        first=tuple(dim for dim in indices if dim not in late),
        last=late,
        recurrent=tuple(dim for dim in indices if dim not in without),
    )


def _sorted_dims(named: Named, count: int) -> tuple[int, ...]:
    if named is None:
        return ()
    listed = named if isinstance(named, list | tuple) else [named]
    dims = sorted(set(listed))
    if any(dim < 0 or dim >= count for dim in dims):
        raise ValueError(f"Invalid dims: {dims}. Must be in [0, {count})")
    return tuple(dims)
