"""Joining of strings, elementwise and along axes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OutOfRangeError, invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.host.native.strings import rows_joined
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    merge,
    merge_dim,
    size_input,
    with_rank,
    with_rank_at_least,
    with_rank_at_most,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX, dense, shape_text, single_integer, unwrap_string
from tfmini._src.ops.ragged_dispatch import accepts_ragged
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string, vector


@op(
    "StringJoin",
    "inputs: N*string -> output: string",
    differentiable=False,
    N=Attr("int", minimum=1),
    separator="",
)
def string_join_op(xp, inputs, *, separator):
    separator = to_bytes(separator)
    shapes = [shape for shape in map(array_shape, inputs) if shape]
    if not shapes:
        return separator.join(map(scalar_string, inputs))
    shape = shapes[0]
    for other in shapes:
        if other != shape:
            invalid(f"Input shapes do not match: {shape_text(shape)} vs. {shape_text(other)}")
    columns = [v if array_shape(v) else _repeated(scalar_string(v), shape) for v in inputs]
    joined = rows_joined(columns, separator)
    if joined is not None:
        return joined
    return vector(map(separator.join, zip(*map(list_strings, columns)))).reshape(shape)


def _repeated(value: bytes, shape: tuple[int, ...]) -> np.ndarray:
    """Returns an array of the same string; unlike `np.full`, it keeps trailing NULs."""
    result = np.empty(shape, object)
    result[...] = value
    return result


@string_join_op.infer
def _(op) -> Dims:
    dims: Dims = None
    for value in op.inputs:
        if value._dims:
            dims = merge(dims, value._dims)
    return () if all(value._dims == () for value in op.inputs) else dims


@op(
    "ReduceJoin",
    "inputs: string, reduction_indices: int32 -> output: string",
    differentiable=False,
    keep_dims=False,
    separator="",
)
def reduce_join_op(xp, inputs, indices, *, keep_dims, separator):
    inputs = dense(inputs)
    axes = _non_negative_axes(inputs.ndim, np.ravel(indices).tolist())
    selected = [axis for axis in range(inputs.ndim) if axis not in axes]
    shape = tuple(inputs.shape[axis] for axis in selected)
    if not axes:
        return unwrap_string(inputs)
    if inputs.ndim == 1 and not keep_dims:
        return to_bytes(separator).join(inputs.tolist())
    size, width = (math.prod(inputs.shape[axis] for axis in part) for part in (selected, axes))
    rows = inputs.transpose([*selected, *reversed(axes)]).reshape(size, width)
    joined = vector(map(to_bytes(separator).join, rows.tolist()))
    if keep_dims:
        shape = tuple(1 if axis in axes else n for axis, n in enumerate(inputs.shape))
    return unwrap_string(joined.reshape(shape))


def _non_negative_axes(rank: int, indices: list[int]) -> list[int]:
    axes: list[int] = []
    for index in indices:
        axis = index + rank if index < 0 else index
        if not 0 <= axis < rank:
            raise OutOfRangeError(
                None,
                None,
                f"Invalid reduction dimension {index} for input with {rank} dimension(s)",
            )
        if axis in axes:
            invalid(f"Duplicate reduction dimension {index}")
        axes.append(axis)
    return axes


@reduce_join_op.infer
def _(op) -> Dims:
    with_rank_at_most(op.inputs[1]._dims, 1)
    dims = op.inputs[0]._dims
    indices = input_value(op, 1)
    if dims is None:
        return None
    if indices is None:
        return (None,) * len(dims) if op.attrs["keep_dims"] else None
    rank = len(dims)
    axes = set()
    for index in np.ravel(indices).tolist():
        if not -rank <= index < rank:
            raise InferenceError(
                f"Invalid reduction dimension {index} for input with {rank} dimensions."
            )
        axes.add(index % rank)
    if op.attrs["keep_dims"]:
        return tuple(1 if axis in axes else n for axis, n in enumerate(dims))
    return tuple(n for axis, n in enumerate(dims) if axis not in axes)


@op(
    "UnsortedSegmentJoin",
    "inputs: string, segment_ids: Tindices, num_segments: Tnumsegments -> output: string",
    separator="",
    Tindices=INDEX,
    Tnumsegments=Attr("type", dtypes.int32, allowed=(dtypes.int32, dtypes.int64)),
)
def unsorted_segment_join_op(xp, inputs, segment_ids, num_segments, *, separator):
    inputs, ids = dense(inputs), np.asarray(segment_ids)
    count = single_integer(num_segments, "num_segments")
    if count < 0:
        invalid("Number of segments cannot be negative")
    if not ids.ndim:
        invalid("Segment_id cannot have rank 0")
    if ids.ndim > inputs.ndim:
        text = f"Invalid segment_id rank {ids.ndim} for input with {inputs.ndim} dimension(s)"
        raise OutOfRangeError(None, None, text)
    for axis, size in enumerate(ids.shape):
        if size != inputs.shape[axis]:  # TensorFlow reports the number of axes, not their length
            invalid(
                f"Segment dimension is {size} while input dimension is {inputs.ndim} in rank {axis}"
            )
    if ids.size and (ids.max() >= count or ids.min() < 0):
        invalid("segment_ids are not allowed to exceed num_segments or to have negative values.")
    inner = inputs.shape[ids.ndim :]
    width = int(np.prod(inner, dtype=np.int64))
    rows = inputs.reshape(ids.size, width).tolist()
    parts: list[list[list]] = [[] for _ in range(count)]
    for segment, row in zip(ids.ravel().tolist(), rows):
        parts[segment].append(row)
    join = to_bytes(separator).join
    joined = [join([row[i] for row in part]) for part in parts for i in range(width)]
    return vector(joined).reshape((count, *inner))


@unsorted_segment_join_op.infer
def _(op) -> Dims:
    dims, ids = op.inputs[0]._dims, op.inputs[1]._dims
    with_rank(op.inputs[2]._dims, 0)
    if ids is None or dims is None:
        return None
    for m, n in zip(with_rank_at_least(dims, len(ids)) or (), ids):
        merge_dim(m, n)
    return (size_input(op, 2), *dims[len(ids) :])


@public
@accepts_ragged("[inputs]", bound=True)
def string_join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """Joins strings elementwise.

    Args:
      inputs: a list of string tensors of the same shape, or scalars, which are broadcast.
      separator: the string between the parts.

    Returns:
      A string Tensor of that shape.

    Raises:
      ValueError: if static shapes differ; InvalidArgumentError (when run): if run-time shapes differ.

    Example: `tf.strings.join(["a", ["b", "c"]], "-")` is `["a-b", "a-c"]`.
    """
    return raw.StringJoin(inputs, separator=separator, name=name)


@public
@deprecated_args(None, "keep_dims is deprecated, use keepdims instead", "keep_dims")
@accepts_ragged("inputs")
def reduce_join(
    inputs: TensorLike,
    axis: TensorLike | None = None,
    keep_dims: TensorLike | None = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keepdims: TensorLike | None = None,
) -> Tensor:
    """Joins the strings along axes.

    Args:
      inputs: a string tensor of any shape.
      axis: an axis or a list of axes in joining order; None joins all axes, last axis first.
      keep_dims: the old name of `keepdims`.
      separator: the string between the parts.
      reduction_indices: the old name of `axis`.
      keepdims: whether to keep the joined axes with size 1.

    Returns:
      A string Tensor without the joined axes.

    Example: `tf.strings.reduce_join([["a", "b"], ["c", "d"]], 1)` is `["ab", "cd"]`.
    """
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
    with name_scope(None, "ReduceJoin", [inputs, axis]):
        strings = ops.convert_to_tensor(inputs)
        if axis is None:
            axis = _all_axes(strings)
        return raw.ReduceJoin(
            strings, axis, keep_dims=bool(keepdims), separator=separator, name=name
        )


def _all_axes(strings: Tensor) -> Tensor:
    rank = strings.shape.ndims
    if rank is None:
        return ops.range(ops.rank(strings) - 1, -1, -1)
    return ops.constant(np.arange(rank - 1, -1, -1), dtype=dtypes.int32)


@public
def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: TensorLike,
    num_segments: TensorLike,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Joins the strings with equal segment ids, in order; empty segments are "".

    Args:
      inputs: string tensor.
      segment_ids: integer tensor whose shape is a prefix of the shape of `inputs`.
      num_segments: the number of segments.
      separator: the string between the parts.

    Returns:
      [num_segments, ...] string Tensor.
    """
    return raw.UnsortedSegmentJoin(
        inputs, segment_ids, num_segments, separator=separator, name=name
    )
