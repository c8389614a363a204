"""Conversions of ragged tensors to and from dense tensors, sparse tensors and variants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank, with_rank_at_least
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.operands import HANDLE_TYPES, INDEX, INDEX64, c_name, shape_text
from tfmini._src.ops.ragged.row_partition import integers

_FINAL = "Final value of ragged splits must match the length the corresponding ragged values."


@op(
    "RaggedTensorToSparse",
    "rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: T "
    "-> sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64",
    RAGGED_RANK=Attr("int", minimum=1),
    T=Attr("type"),
    Tsplits=INDEX64,
)
def ragged_tensor_to_sparse_op(xp, splits, values):
    splits = [row_splits.ravel() for row_splits in splits]
    _check_splits(splits, values)
    lengths = [np.diff(row_splits) for row_splits in splits]
    count = values.shape[0]
    columns = []
    rows = np.arange(count)
    for row_splits, sizes in zip(reversed(splits), reversed(lengths)):
        owner = np.repeat(np.arange(sizes.size), sizes)[rows]
        columns.append(rows - row_splits[owner])
        rows = owner
    columns.append(rows)
    inner = values.shape[1:]
    positions = np.stack(columns[::-1], axis=1).astype(np.int64)
    size = int(np.prod(inner, dtype=np.int64))
    if inner:
        inner_indices = np.stack(np.unravel_index(np.arange(size), inner), axis=1)
        positions = np.concatenate(
            [np.repeat(positions, size, axis=0), np.tile(inner_indices, (count, 1))], axis=1
        ).astype(np.int64)
    dense = [lengths[0].size, *(int(sizes.max(initial=0)) for sizes in lengths), *inner]
    return positions, values.reshape(-1).copy(), np.array(dense, np.int64)


ragged_tensor_to_sparse_op.forwards(sparse_values="rt_dense_values", view=True)


def _check_splits(splits: Any, values: Any) -> None:
    rows = None
    for row_splits in splits:
        if row_splits.size == 0:
            invalid("ragged splits may not be empty.")
        if row_splits[0] != 0:
            invalid("First value of ragged splits must be 0.")
        if rows not in (None, row_splits.size - 1):
            invalid(_FINAL)
        rows = row_splits[-1]
    if values.shape[:1] != (rows,):
        invalid(_FINAL)
    if any((np.diff(row_splits) < 0).any() for row_splits in splits):
        invalid("Ragged splits should be non decreasing")


@ragged_tensor_to_sparse_op.infer
def _(op) -> list[Dims]:
    *splits, values = op.inputs
    for tensor in splits:
        with_rank(tensor._dims, 1)
    dims = values._dims
    with_rank_at_least(dims, 1)
    rank = None if dims is None else len(op.inputs) - 1 + len(dims)
    count = None if dims is None or None in dims else math.prod(dims)
    return [(count, rank), (count,), (rank,)]


@ragged_tensor_to_sparse_op.gradient
def _(op, indices_grad, values_grad, shape_grad):
    values = op.inputs[-1]
    return [*[None] * (len(op.inputs) - 1), ops.reshape(values_grad, ops.shape(values))]


class RaggedVariant:
    """A ragged tensor encoded as an element of a tensor of variants."""

    def __init__(self, splits: list[Any], values: Any):
        self.splits = splits
        self.values = values

    def __str__(self) -> str:
        parts = [*self.splits, self.values]
        descriptions = " ".join(
            f"Variant<type: tensorflow::Tensor value: {_tensor_text(part)}>" for part in parts
        )
        return f"Tensor<type: variant shape: [{len(parts)}] values: {descriptions}>"


def _tensor_text(array: Any) -> str:
    dtype_name = c_name(dtypes.as_dtype(array.dtype))
    values = " ".join(map(str, array.ravel()[:3])) + "..." * (array.size > 3)
    return f"Tensor<type: {dtype_name} shape: {shape_text(array.shape)} values: {values}>"


HANDLE_TYPES.add(RaggedVariant)


@op(
    "RaggedTensorToVariant",
    "rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: Tvalues -> encoded_ragged: variant",
    differentiable=False,
    RAGGED_RANK=Attr("int", minimum=1),
    Tvalues=Attr("type"),
    Tsplits=INDEX,
    batched_input=Attr("bool"),
)
def ragged_tensor_to_variant_op(xp, splits, values, *, batched_input):
    if not batched_input:
        return RaggedVariant([row_splits.copy() for row_splits in splits], values.copy())
    row_splits = splits[0].tolist()
    encoded, values = np.empty(len(row_splits) - 1, object), values.copy()
    for row, (start, end) in enumerate(zip(row_splits, row_splits[1:])):
        encoded[row] = RaggedVariant(*_slice_rows(splits[1:], values, start, end))
    return encoded


def _slice_rows(splits: Any, values: Any, start: int, end: int) -> tuple[list[Any], Any]:
    """Returns rows `start` to `end` of the values that `splits` partitions."""
    pieces = []
    for row_splits in splits:
        piece = row_splits[start : end + 1]
        pieces.append(piece - piece[0])
        start, end = int(piece[0]), int(piece[-1])
    return pieces, values[start:end]


@ragged_tensor_to_variant_op.infer
def _(op) -> Dims:
    if not op.get_attr("batched_input"):
        return ()
    dims = op.inputs[0]._dims
    return (None,) if dims is None or dims[0] is None else (dims[0] - 1,)


@op(
    "RaggedTensorFromVariant",
    "encoded_ragged: variant -> output_nested_splits: output_ragged_rank * Tsplits, output_dense_values: Tvalues",
    input_ragged_rank=Attr("int", minimum=-1),
    output_ragged_rank=Attr("int", minimum=1),
    Tvalues=Attr("type"),
    Tsplits=INDEX,
)
def ragged_tensor_from_variant_op(
    xp, encoded, *, input_ragged_rank, output_ragged_rank, Tvalues, Tsplits
):
    encoded = np.asarray(encoded, object)
    shape = encoded.shape
    if input_ragged_rank == -1:
        input_ragged_rank = output_ragged_rank - len(shape)
    if output_ragged_rank != input_ragged_rank + len(shape):
        invalid(
            "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); output_ragged_rank: "
            f"{output_ragged_rank}, input_ragged_rank: {input_ragged_rank}, encoded_variant.dims(): {len(shape)}."
        )
    dtype = np.dtype(Tsplits.as_numpy_dtype)
    parts = encoded.ravel().tolist()
    for part in parts:
        _check_encoded(part, input_ragged_rank, Tvalues, Tsplits)
    if not shape:
        return [*parts[0].splits, parts[0].values]
    splits: list[Any] = []
    rows = 1
    for size in shape:
        splits.append(np.arange(rows + 1, dtype=dtype) * size)
        rows *= size
    splits = splits[1:]
    if input_ragged_rank:
        for level in range(input_ragged_rank):
            level_splits = [part.splits[level] for part in parts]
            if level == 0:
                counts = [row_splits.size - 1 for row_splits in level_splits]
                splits.append(np.concatenate([[0], np.cumsum(counts)]).astype(dtype))
            splits.append(_concat_splits(level_splits, dtype))
    else:
        counts = [part.values.shape[0] for part in parts]
        splits.append(np.concatenate([[0], np.cumsum(counts)]).astype(dtype))
    values = [part.values for part in parts]
    empty = np.zeros(0, Tvalues.as_numpy_dtype)
    return [*splits, np.concatenate(values) if values else empty]


def _concat_splits(pieces: list[Any], dtype: Any) -> Any:
    """Concatenates the row splits of several ragged tensors."""
    result, offset = [np.zeros(1, dtype)], 0
    for row_splits in pieces:
        result.append(row_splits[1:] + offset)
        offset += int(row_splits[-1])
    return np.concatenate(result).astype(dtype)


def _check_encoded(part: Any, rank: int, values: Any, splits: Any) -> None:
    if not isinstance(part, RaggedVariant):
        invalid("Input Variant element at index 0 doesn't hold a Tensor: ")
    if len(part.splits) != rank:
        invalid(
            "Encoded input Variant must hold either input_ragged_rank + 1 Tensors or an empty Tensor (zero splits "
            f"Tensors, 1 values Tensor), input_ragged_rank: {rank}, encoded input Variant: {part}"
        )
    _check_dtype("values", part.values, values)
    for row_splits in part.splits:
        _check_dtype("splits", row_splits, splits)


def _check_dtype(role: str, array: Any, expected: Any) -> None:
    expected_enum, actual = expected.as_datatype_enum, dtypes.as_dtype(array.dtype).as_datatype_enum
    if actual != expected_enum:
        invalid(f"Expected {role} Tensor dtype: {expected_enum}, found: {actual}")


@ragged_tensor_from_variant_op.infer
def _(op) -> list[Dims]:
    inner, outer = op.get_attr("input_ragged_rank"), op.get_attr("output_ragged_rank")
    if inner >= 0:
        with_rank(op.inputs[0]._dims, outer - inner)
    return [*[(None,)] * (len(op.outputs) - 1), None]


def splits_and_values(
    cls: Any, tensor: Any, lengths: Any, padding: Any, ragged_rank: int, splits_dtype: Any
) -> Any:
    """Converts a dense tensor to a ragged tensor of class `cls`."""
    tensor = ops.convert_to_tensor(tensor, name="tensor")
    tensor.shape.with_rank_at_least(ragged_rank + 1)
    shape = ops.shape(tensor, out_type=splits_dtype)
    columns = shape[1]
    if ragged_rank > 1:
        return _from_tensor_of_rank(cls, tensor, shape, lengths, padding, ragged_rank, splits_dtype)
    if padding is not None:
        lengths = _unpadded_lengths(tensor, padding, columns, splits_dtype)
    if lengths is None:
        rows = shape[0]
        count = rows * columns
        splits = ops.range(rows + 1) * columns
        values = ops.reshape(tensor, ops.concat([[count], shape[2:]], axis=0))
        return cls.from_row_splits(values, splits, validate=False)
    if (
        isinstance(lengths, list | tuple)
        and len(lengths)
        and not isinstance(lengths[0], int | float)
    ):
        tensor.shape.with_rank_at_least(len(lengths) + 1)
        ones = ops.ones([ops.reduce_sum(lengths[-1])], dtype=dtypes.bool)
        mask = cls.from_nested_row_lengths(ones, lengths, validate=False)
        selected = ops.boolean_mask(tensor, mask.to_tensor(default_value=False))
        return cls.from_nested_row_lengths(selected, lengths, validate=False)
    lengths = integers(lengths, "lengths", splits_dtype)
    lengths.shape.assert_has_rank(1)
    lengths = ops.maximum(ops.minimum(lengths, columns), 0)
    limits = ops.cumsum(lengths)
    splits = ops.concat([ops.zeros([1], splits_dtype), limits], axis=0)
    mask = ops.sequence_mask(lengths, maxlen=columns)
    return cls.from_row_splits(ops.boolean_mask(tensor, mask), splits, validate=False)


def _from_tensor_of_rank(
    cls: Any,
    tensor: Tensor,
    shape: Tensor,
    lengths: Any,
    padding: Any,
    ragged_rank: int,
    splits_dtype: Any,
) -> Any:
    """Converts a tensor to several ragged dimensions; flattens it for the last one and splits evenly for others."""
    flat_shape = ops.concat([ops.constant([-1], splits_dtype), shape[ragged_rank:]], axis=0)
    flat = ops.reshape(tensor, flat_shape)
    values = cls.from_tensor(flat, lengths, padding, row_splits_dtype=splits_dtype)
    sizes = ops.cumprod(shape)
    splits = [ops.range(0, sizes[dim - 1] + 1) * shape[dim] for dim in range(1, ragged_rank)]
    return cls.from_nested_row_splits(values, splits, validate=False)


def _unpadded_lengths(tensor: Tensor, padding: Any, columns: Tensor, splits_dtype: Any) -> Tensor:
    """Returns the length of each row without its trailing padding."""
    padding = ops.convert_to_tensor(padding, name="padding", dtype=tensor.dtype)
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    equal = ops.equal(padding, tensor)
    rank = ops.rank(tensor)
    axes = ops.range(2, rank)
    is_padding = ops.cond(rank > 2, lambda: ops.reduce_all(equal, axis=axes), lambda: equal)
    is_padding.set_shape(TensorShape([None, None]))
    is_padding.set_shape(tensor.shape[:2])
    is_value = ops.cast(ops.logical_not(is_padding), splits_dtype)
    ends = is_value * ops.expand_dims(ops.range(1, columns + 1), 0)
    return ops.reduce_max(ends, axis=1)


def ragged_to_dense(ragged: Any, default_value: Any) -> Tensor:
    """Converts a ragged tensor to a dense tensor, in which missing elements have the default value."""
    if default_value is not None:
        default_value = ops.convert_to_tensor(
            default_value, name="default_value", dtype=ragged.dtype
        )
    values = ragged.values
    if not isinstance(values, Tensor):
        values = values.to_tensor(default_value)
    if default_value is not None:
        default_value = _broadcast_default(default_value, values)
    row_splits = ragged.row_splits
    lengths = [row_splits[1:] - row_splits[:-1]]
    rows = ops.shape(row_splits, out_type=row_splits.dtype)[0] - 1
    columns = ops.maximum(ops.reduce_max(lengths), 0)
    shape = ops.shape(values, out_type=row_splits.dtype)
    inner = shape[1:]
    count = shape[0]
    if default_value is None:
        default_value = ops.zeros(inner, dtype=values.dtype)
    default_value.shape.assert_is_compatible_with(values.shape[1:])
    default_value.set_shape(values.shape[1:])
    starts = ops.expand_dims(row_splits[:-1], 1)
    limits = ops.expand_dims(row_splits[1:], 1)
    positions = ops.expand_dims(ops.range(0, columns), 0)
    extended = ops.concat([values, ops.stack([default_value])], axis=0)
    indices = starts + positions
    is_there = indices < limits
    missing = ops.fill(ops.stack([rows, columns]), count)
    return ops.gather(extended, ops.where(is_there, indices, missing))


def _broadcast_default(default_value: Tensor, values: Tensor) -> Tensor:
    rank, default_rank = values.shape.ndims, default_value.shape.ndims
    if rank is not None:
        default_value.shape.with_rank_at_most(rank - 1)
    if rank is None or default_rank is None or rank != default_rank + 1:
        default_value = ops.broadcast_to(default_value, ops.shape(values)[1:])
    default_value.shape.assert_is_compatible_with(values.shape[1:])
    return default_value


def ragged_from_sparse(cls: Any, sparse: Any, name: str | None, splits_dtype: Any) -> Any:
    """Converts a sparse matrix to a ragged tensor of class `cls`."""
    splits_dtype = dtypes.as_dtype(splits_dtype)
    if not isinstance(sparse, SparseTensor | SparseTensorValue):
        raise TypeError(f"Expected SparseTensor, got {type(sparse).__name__}")
    with name_scope(name, "RaggedFromSparse", [sparse]):
        sparse = ops.convert_to_tensor_or_sparse_tensor(sparse, name="st_input")
        shape, indices = sparse.dense_shape.shape, sparse.indices.shape
        ranks = (
            None if shape.ndims is None else shape.dims[0].value,
            None if indices.ndims is None else indices.dims[1].value,
        )
        if 2 not in ranks:
            raise ValueError("rank(st_input) must be 2")
        with control_dependencies([_has_no_gaps(sparse.indices)]):
            rows = ops.cast(sparse.indices[:, 0], splits_dtype)
            count = ops.cast(sparse.dense_shape[0], splits_dtype)
            return cls.from_value_rowids(sparse.values, rows, count, validate=False)


def _has_no_gaps(indices: Tensor) -> Any:
    """Returns an operation that checks that the elements of each row are contiguous from the first column."""
    rows, columns = indices[:, :-1], indices[:, -1]
    starts_row = ops.reduce_any(ops.not_equal(rows[1:], rows[:-1]), axis=1)
    is_consecutive = ops.where(
        starts_row, ops.equal(columns[1:], 0), ops.equal(columns[1:], columns[:-1] + 1)
    )
    fits = ops.logical_and(
        ops.reduce_all(ops.equal(columns[:1], 0)), ops.reduce_all(is_consecutive)
    )
    return ops.Assert(fits, ["SparseTensor is not right-ragged", "SparseTensor.indices =", indices])


def ragged_to_sparse(ragged: Any, name: str | None) -> SparseTensor:
    """Converts a ragged tensor to a sparse tensor that explicitly stores all of its elements."""
    with name_scope(name, "RaggedToSparse", [ragged]):
        return SparseTensor(
            *raw.RaggedTensorToSparse(ragged.nested_row_splits, ragged.flat_values, name=name)
        )
