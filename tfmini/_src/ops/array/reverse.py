"""Reversal of entire axes, or of the first elements of sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.host.native import rows as native
from tfmini._src.devices.host.threads import run_slices
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    merge_dim,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.bounds import describe_outside_index
from tfmini._src.ops.operands import ANY, INDEX32, INDEX64

_OLD_TYPES = (
    *(dtypes.uint8, dtypes.int8, dtypes.uint16, dtypes.int16, dtypes.int32, dtypes.int64),
    *(dtypes.bool, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64),
    *(dtypes.complex128, dtypes.string),
)
_TYPES = (*_OLD_TYPES[:7], dtypes.bfloat16, *_OLD_TYPES[7:])


def _non_negative_axes(axis: list[int], rank: int) -> list[int]:
    """Returns non-negative axes; raises ValueError for out-of-range or repeated axes."""
    result: list[int] = []
    for i, value in enumerate(axis):
        position = value + rank if value < 0 else value
        if not 0 <= position < rank:
            raise ValueError(f"'axis'[{i}] = {value} is out of valid range [0, {rank - 1}")
        if position in result:
            raise ValueError(f"axis {position} specified more than once.")
        result.append(position)
    return result


# Element count above which a view may be slower, and maximum bytes of a run copied as one item.
_MIN_COPIED_ELEMENTS = 1 << 14
_MAX_ITEM_BYTES = 64


@op(
    "ReverseV2",
    "tensor: T, axis: Tidx -> output: T",
    gradient=lambda op, grad: (raw.ReverseV2(grad, op.inputs[1]), None),
    view=True,
    static_inputs=("axis",),
    Tidx=INDEX32,
    T=_TYPES,
)
def reverse_v2_op(xp, tensor, axis):
    if axis.ndim != 1:
        invalid(f"'dims' must be 1-dimension, not {axis.ndim}")
    if not np.ndim(tensor):
        return tensor
    try:
        axes = _non_negative_axes(axis.tolist(), tensor.ndim)
    except ValueError as error:
        raise InvalidArgumentError(None, None, str(error)) from None
    step = slice(None, None, -1)
    order = tuple([step if i in axes else slice(None) for i in range(tensor.ndim)])
    if xp is np and _has_small_parts(tensor, axes):
        rows_as_bytes = tensor.view(f"V{tensor.shape[-1] * tensor.itemsize}")
        return _copy_view(rows_as_bytes[order]).view(tensor.dtype)
    return tensor[order]


def _reverses_nothing(tensor: Any, axis: Any) -> bool:
    shape = np.shape(tensor)
    return all(shape[dim] == 1 for dim in axis.tolist())


reverse_v2_op.forwards(output="tensor", when=_reverses_nothing)


def _copy_view(view: Any) -> Any:
    """Copies a view to contiguous memory, using all threads."""
    result = np.empty(view.shape, view.dtype)

    def work(part: slice) -> None:
        result[part] = view[part]

    run_slices(work, len(view), 0)
    return result


def _has_small_parts(tensor: Any, axes: Any) -> bool:
    """Whether a view consists of short contiguous runs that are faster to copy as single items.

    This is the case if a short last axis (channels) follows a reversed axis.
    """
    return bool(
        tensor.size >= _MIN_COPIED_ELEMENTS
        and tensor.ndim > 1
        and tensor.ndim - 2 in axes
        and tensor.ndim - 1 not in axes
        and tensor.dtype.kind in "fiu"
        and tensor.strides[-1] == tensor.itemsize
        and 1 < tensor.shape[-1] * tensor.itemsize <= _MAX_ITEM_BYTES
    )


@reverse_v2_op.infer
def _(op) -> Dims:
    dims = op.inputs[0]._dims
    with_rank(op.inputs[1]._dims, 1)
    if dims is not None and len(dims) > 8:
        raise InferenceError("reverse does not work on tensors with more than 8 dimensions")
    axis = input_value(op, 1)
    if axis is not None and dims is not None:
        try:
            _non_negative_axes(axis.tolist(), len(dims))
        except ValueError as error:
            raise InferenceError(str(error)) from None
    return dims


@public
def reverse(tensor: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """Reverses `tensor` along the specified axes.

    Args:
      tensor: a tensor of up to 8 axes.
      axis: integer vector of distinct axes.

    Raises:
      ValueError, InvalidArgumentError (when run): if an axis is out of range or repeated.
    """
    return raw.ReverseV2(tensor, axis, name=name)


reverse_v2 = reverse


@op(
    "Reverse",
    "tensor: T, dims: bool -> output: T",
    gradient=lambda op, grad: (raw.Reverse(grad, op.inputs[1]), None),
    view=True,
    static_inputs=("dims",),
    T=_OLD_TYPES,
)
def reverse_v1(xp, tensor, dims):
    if dims.ndim != 1:
        invalid(f"'dims' must be 1-dimension, not {dims.ndim}")
    if dims.size != tensor.ndim:
        problem = f"'input' has {tensor.ndim}'dims' has {dims.size} values"
        invalid(f"'dims' must have the same number of values as 'input' has dimensions. {problem}")
    return tensor[tuple([slice(None, None, -1 if reverse else 1) for reverse in dims.tolist()])]


reverse_v1.forwards(output="tensor", when=lambda tensor: not np.ndim(tensor))


@reverse_v1.infer
def _(op) -> Dims:
    dims = op.inputs[0]._dims
    (count,) = with_rank(op.inputs[1]._dims, 1)
    if count is not None:
        if count > 8:
            raise InferenceError("reverse does not work on tensors with more than 8 dimensions")
        dims = with_rank(dims, count)
    return dims


@op(
    "ReverseSequence",
    "input: T, seq_lengths: Tlen -> output: T",
    seq_dim=Attr("int"),
    batch_dim=0,
    T=ANY,
    Tlen=INDEX64,
)
def reverse_sequence_op(xp, value, seq_lengths, *, seq_dim, batch_dim):
    _check_lengths(value, seq_lengths, seq_dim, batch_dim)
    lengths = seq_lengths
    if xp is np and len(lengths) <= _MAX_COPIED_SEQUENCES:
        return _reverse_rows_one_by_one(value, lengths, seq_dim, batch_dim)
    if xp is not np:  # checking the lengths would synchronize
        lengths = xp.clip(lengths, 0, value.shape[seq_dim])
    size = value.shape[seq_dim]
    positions = xp.arange(size)
    lengths = xp.asarray(lengths)[:, None]
    index = xp.where(positions < lengths, lengths - 1 - positions, positions)
    if xp is np and {batch_dim, seq_dim} == {0, 1} and value.size:
        return _take_rows(value, index, seq_dim)
    if seq_dim < batch_dim:
        index = index.T
    axes = [1] * value.ndim
    axes[batch_dim], axes[seq_dim] = value.shape[batch_dim], size
    return xp.take_along_axis(value, index.reshape(axes).astype(np.int64), seq_dim)


_MAX_COPIED_SEQUENCES = 32  # maximum sequences for which copying each costs less than indices


def _reverse_rows_one_by_one(
    value: np.ndarray, lengths: np.ndarray, seq_dim: int, batch_dim: int
) -> np.ndarray:
    result = value.copy()
    source, target = value, result
    if (batch_dim, seq_dim) == (1, 0):
        source, target = source.swapaxes(0, 1), target.swapaxes(0, 1)
    elif (batch_dim, seq_dim) != (0, 1):
        source, target = (np.moveaxis(x, (batch_dim, seq_dim), (0, 1)) for x in (value, result))
    for row, length in enumerate(lengths.tolist()):
        if length > 1:
            target[row, :length] = source[row, length - 1 :: -1]
    return result


def _take_rows(value: np.ndarray, index: np.ndarray, seq_dim: int) -> np.ndarray:
    """Permutes each sequence i of `value` by index[i]; copies elements as rows."""
    batch, size = index.shape
    batch_index = np.arange(batch)[:, None]
    rows = batch_index * size + index if seq_dim else (index * batch + batch_index).T
    table = value.reshape(batch * size, *value.shape[2:])
    gathered = native.take_rows(table, np.ascontiguousarray(rows))
    return (table.take(rows, axis=0) if gathered is None else gathered).reshape(value.shape)


def _check_lengths(value: Any, lengths: Any, seq_dim: int, batch_dim: int) -> None:
    problem = None
    if lengths.ndim != 1:
        problem = f"seq_lens input must be 1-dim, not {lengths.ndim}"
    elif batch_dim == seq_dim:
        problem = f"batch_dim == seq_dim == {seq_dim}"
    elif seq_dim >= value.ndim:
        problem = f"seq_dim must be < input.dims()( {seq_dim} vs. {value.ndim})"
    elif batch_dim >= value.ndim:
        problem = f"batch_dim must be < input.dims()( {batch_dim} vs. {value.ndim})"
    elif lengths.size != value.shape[batch_dim]:
        size = value.shape[batch_dim]
        problem = f"len(seq_lens) != input.dims({batch_dim}), ({lengths.size} vs. {size})"
    elif isinstance(lengths, np.ndarray):
        if describe_outside_index(lengths, value.shape[seq_dim] + 1):
            is_outside = (lengths < 0) | (lengths > value.shape[seq_dim])
            i = int(is_outside.argmax())
            problem = f"seq_lens({i}) " + ("< 0" if lengths[i] < 0 else f"> input.dims({seq_dim})")
    if problem:
        invalid(problem)


@reverse_sequence_op.infer
def _(op) -> Dims:
    dims = op.inputs[0]._dims
    (count,) = with_rank(op.inputs[1]._dims, 1)
    if dims is None:
        return None
    for name in ("batch_dim", "seq_dim"):
        if not -len(dims) <= op.attrs[name] < len(dims):
            raise InferenceError(f"{name} must be < input rank: {op.attrs[name]} vs. {len(dims)}")
    batch = op.attrs["batch_dim"]
    return (*dims[:batch], merge_dim(dims[batch], count), *dims[batch + 1 :])


@reverse_sequence_op.gradient
def _(op, grad):
    batch, seq = op.attrs["batch_dim"], op.attrs["seq_dim"]
    return ops.reverse_sequence(
        grad, batch_axis=batch, seq_axis=seq, seq_lengths=op.inputs[1]
    ), None


@public
@deprecated_args(None, "seq_dim is deprecated, use seq_axis instead", "seq_dim")
@deprecated_args(None, "batch_dim is deprecated, use batch_axis instead", "batch_dim")
def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
    seq_dim: int | None = None,
    batch_dim: int | None = None,
) -> Tensor:
    """Reverses the first `seq_lengths[i]` elements of each sequence i in a batch.

    Args:
      input: a tensor.
      seq_lengths: [batch] integers, none larger than the size of `seq_axis`.
      seq_axis: the axis of the elements within a sequence.
      batch_axis: the axis that enumerates the sequences.
      seq_dim, batch_dim: old names of the two axes.

    Example: for lengths [2] and the row [1, 2, 3], the result is [2, 1, 3].
    """
    seq_axis = deprecated_argument_lookup("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch_axis = deprecated_argument_lookup("batch_axis", batch_axis, "batch_dim", batch_dim)
    return raw.ReverseSequence(
        input, seq_lengths, seq_dim=seq_axis, batch_dim=batch_axis, name=name
    )
