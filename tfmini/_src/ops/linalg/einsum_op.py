"""The op `Einsum`, which computes an einsum in one node. `tf.einsum` of 1.15 is composed of other ops."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.records import dataclass
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    broadcast_dims,
    merge_dim,
    with_rank,
    with_rank_at_least,
    with_rank_at_most,
)
from tfmini._src.ops.operands import ANY, shape_text


@dataclass(frozen=True)
class _Subscripts:
    """Axis labels before and after an ellipsis; without an ellipsis, all labels are before it."""

    before: str
    after: str = ""
    has_ellipsis: bool = False

    @property
    def count(self) -> int:
        return len(self.before) + len(self.after)

    def axes(self, rank: int) -> Iterator[tuple[str, int]]:
        """Returns the axis of each label in a tensor of rank `rank`."""
        yield from zip(self.before, range(len(self.before)))
        yield from zip(self.after, range(rank - len(self.after), rank))

    def broadcast(self, dims: tuple) -> tuple:
        """Returns the part of a shape that the ellipsis covers."""
        return dims[len(self.before) : len(dims) - len(self.after)]


@dataclass(frozen=True)
class _Equation:
    inputs: tuple[_Subscripts, ...]
    output: _Subscripts


def _parse(text: str, count: int) -> _Equation:
    """Parses an equation for `count` inputs; raises InferenceError if it is malformed."""
    sides = text.split("->")
    if len(sides) != 2:
        raise InferenceError(f"Expecting exactly one '->' in einsum equation: {text}")
    parts = sides[0].split(",")
    if len(parts) > 2:
        raise InferenceError(
            f"Expecting 1 or 2 input subscripts in equation '{text}' but got: {len(parts)}"
        )
    if count != len(parts):
        raise InferenceError(f"Expected {len(parts)} inputs for equation {text} but got: {count}")
    return _Equation(tuple(map(_subscripts, parts)), _subscripts(sides[1]))


def _subscripts(text: str) -> _Subscripts:
    prefix, ellipsis, suffix = text.partition("...")
    periods = text.count(".")
    if periods not in (0, 3):
        raise InferenceError(
            f"Expected at most one ellipsis (...), but found {periods} periods (.) in the input subscript: {text}"
        )
    if periods and not ellipsis:
        raise InferenceError(f"Periods found outside of ellipsis in subscript: {text}")
    return _Subscripts(prefix, suffix, bool(ellipsis))


@op(
    "Einsum",
    "inputs: N*T -> output: T",
    equation=Attr("string"),
    N=Attr("int", minimum=1),
    T=ANY,
)
def einsum_op(xp, inputs, *, equation):
    parsed = _parse(equation, len(inputs))
    sizes = _label_sizes(parsed, [x.shape for x in inputs])
    output = parsed.output
    letters = dict(zip(sizes, string.ascii_letters))
    distinct_labels = "".join(dict.fromkeys(output.before + output.after))
    expected = _Subscripts(
        distinct_labels[: len(set(output.before))], distinct_labels[len(set(output.before)) :], True
    )
    sides = [_format_labels(subscripts, letters) for subscripts in (*parsed.inputs, expected)]
    result = xp.einsum(f"{','.join(sides[:-1])}->{sides[-1]}", *inputs, optimize=True)
    if len(distinct_labels) < output.count:
        result = _scatter_to_diagonals(xp, result, expected, output, sizes)
    return xp.ascontiguousarray(result, inputs[0].dtype).reshape(result.shape)


def _format_labels(subscripts: _Subscripts, letters: dict[str, str]) -> str:
    prefix, suffix = (
        "".join(map(letters.__getitem__, s)) for s in (subscripts.before, subscripts.after)
    )
    return f"{prefix}{'...' if subscripts.has_ellipsis else ''}{suffix}"


def _label_sizes(equation: _Equation, shapes: Sequence[tuple[int, ...]]) -> dict[str, int]:
    """Returns the size of each label; raises InvalidArgumentError for mismatched inputs."""
    sizes: dict[str, int] = {}
    spans = []
    for index, (subscripts, shape) in enumerate(zip(equation.inputs, shapes)):
        rank, expected = len(shape), subscripts.count
        if rank < expected if subscripts.has_ellipsis else rank != expected:
            rank_prefix = "at least " if subscripts.has_ellipsis else ""
            invalid(f"Expected input {index} to have rank {rank_prefix}{expected} but got: {rank}")
        for label, axis in subscripts.axes(rank):
            if sizes.setdefault(label, shape[axis]) != shape[axis]:
                invalid(
                    f"Expected dimension {sizes[label]} at axis {axis} of the input shaped {shape_text(shape)} but "
                    f"got dimension {shape[axis]}"
                )
        spans.append(subscripts.broadcast(shape) if subscripts.has_ellipsis else ())
    count = max(map(len, spans))
    if count and not equation.output.has_ellipsis:
        invalid(
            f"Output contains {count} broadcasting dimension(s) but no ellipsis (...) was found in the output "
            "subscripts."
        )
    try:
        np.broadcast_shapes(*spans)
    except ValueError:
        sizes_text = " vs. ".join(map(shape_text, spans))
        invalid(f"Invalid broadcasting dimensions: {sizes_text}")
    return sizes


def _scatter_to_diagonals(
    xp: Any, values: Any, arguments: _Subscripts, output: _Subscripts, sizes: dict[str, int]
) -> Any:
    """Returns zeros, except for the values on the diagonals of repeated labels."""
    inner = arguments.broadcast(values.shape)
    shape = [sizes[s] for s in output.before], [sizes[s] for s in output.after]
    result = xp.zeros((*shape[0], *inner, *shape[1]), values.dtype)
    axis_by_letter = dict(arguments.axes(values.ndim))
    positions: list[Any] = [axis_by_letter[label] for label in output.before]
    positions += range(len(arguments.before), len(arguments.before) + len(inner))
    positions += [axis_by_letter[label] for label in output.after]
    axis_shapes = [
        (1,) * axis + (-1,) + (1,) * (values.ndim - 1 - axis) for axis in range(values.ndim)
    ]
    ranges = [xp.arange(size).reshape(dims) for size, dims in zip(values.shape, axis_shapes)]
    result[tuple(ranges[position] for position in positions)] = values
    return result


@einsum_op.infer
def _(op) -> Dims:
    text = op.attrs["equation"]
    equation = _parse(text, len(op.inputs))
    sizes: dict[str, int | None] = {}
    spans: list[Dims] = []
    for index, (subscripts, tensor) in enumerate(zip(equation.inputs, op.inputs)):
        fits = with_rank_at_least if subscripts.has_ellipsis else with_rank
        try:
            dims = fits(tensor._dims, subscripts.count)
        except InferenceError as error:
            raise InferenceError(f"{error}\n\t for {index}th input and equation: {text}") from None
        rank = subscripts.count if dims is None else len(dims)
        for label, axis in subscripts.axes(rank):
            size = None if dims is None else dims[axis]
            sizes[label] = merge_dim(sizes[label], size) if label in sizes else size
        spans.append(None if dims is None else subscripts.broadcast(dims))
    span = spans[0] if len(spans) == 1 else broadcast_dims(spans[0], spans[1])
    if equation.output.has_ellipsis and span is None:
        return None
    if not equation.output.has_ellipsis:
        try:
            with_rank_at_most(span, 0)
        except InferenceError as error:
            raise InferenceError(
                f"{error}\n\t for einsum equation '{text}' without ellipsis (...) in the output subscripts where "
                "input(s) have non-empty broadcasting shape"
            ) from None
        span = ()
    for label in equation.output.before + equation.output.after:
        if label not in sizes:
            raise InferenceError(
                f"Einsum output subscripts for equation '{text}' has label '{label}' which is not present in the "
                "input subscripts"
            )
    prefix, suffix = (
        tuple([sizes[s] for s in labels])
        for labels in (equation.output.before, equation.output.after)
    )
    return (*prefix, *(span or ()), *suffix)
