"""Slice specs: the part of a larger tensor that a tensor covers. "7 4 0,3:-" is the first 3 rows of a [7, 4] tensor."""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.formats.ordered_code import FULL_EXTENT, Extent


def parse_spec(spec: str) -> tuple[list[int], list[Extent]]:
    """Parses a spec to the full shape, and (start, length) along each axis."""
    *sizes, last = spec.split(" ")
    if not sizes:
        invalid(f"Need least two elements in shape_and_slice specification: {spec}")
    extents = [_parse_extent(extent, last) for extent in last.split(":") if extent]
    shape: list[int] = []
    for number in map(_parse_int64, sizes):
        if number is None or number < 0:
            invalid(f"Non numerical dimension in shape_and_slice: {spec}")
        shape.append(number)
    spec_text = f"shape = {shape_text(shape)}, slice = {slice_text(extents)}"
    if len(extents) != len(shape):
        raise InternalError(None, None, f"Mismatching ranks: {spec_text}")
    for axis, ((start, length), size) in enumerate(zip(extents, shape)):
        if start + length > size:
            raise InternalError(
                None, None, f"Extent in dimension {axis} out of bounds: {spec_text}"
            )
    return shape, extents


def _parse_extent(text: str, spec: str) -> Extent:
    if text == "-":
        return FULL_EXTENT
    bounds = [_parse_int64(part) for part in text.split(",")]
    if len(bounds) != 2 or None in bounds:
        invalid(f"Expected a pair of numbers or '-' but got '{text}': string = {spec}")
    start, length = bounds
    assert start is not None and length is not None
    if start < 0 or length <= 0:
        invalid(
            f"Expected non-negative start and positive length but got start = {start}, length = {length}: "
            f"string = {spec}",
        )
    return start, length


def _parse_int64(text: str) -> int | None:
    """Parses a 64-bit integer; returns None for other text."""
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        return None
    return int(text)


def slice_shape(shape: Sequence[int], extents: Sequence[Extent]) -> list[int]:
    """Returns the shape of a slice."""
    return [size if length < 0 else length for size, (_, length) in zip(shape, extents)]


def shape_text(shape: Sequence[int]) -> str:
    """Returns a shape as shown in messages: [7,4]."""
    return "[" + ",".join(map(str, shape)) + "]"


def slice_text(extents: Sequence[Extent]) -> str:
    """Returns a slice as shown in messages: 0,3:-."""
    return ":".join("-" if e == FULL_EXTENT else f"{e[0]},{e[1]}" for e in extents)
