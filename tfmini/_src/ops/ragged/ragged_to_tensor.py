"""RaggedTensorToTensor, from any partition to a specified shape, and the public conversion functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import as_shape
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    constant_dims,
    note_value,
    with_rank_at_most,
)
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.row_partition import is_ragged

_INDEX_FIRST = Attr("type", allowed=(dtypes.int64, dtypes.int32))


@op(
    "RaggedTensorToTensor",
    "shape: Tshape, values: T, default_value: T, row_partition_tensors: num_row_partition_tensors * Tindex "
    "-> result: T",
    sized_by_values=True,
    T=Attr("type"),
    Tindex=_INDEX_FIRST,
    Tshape=_INDEX_FIRST,
    num_row_partition_tensors=Attr("int", minimum=1),
    row_partition_types=Attr("list(string)"),
)
def ragged_tensor_to_tensor_op(
    xp, shape, values, default_value, partitions, *, row_partition_types
):
    partition_types = list(map(_as_str, row_partition_types))
    try:
        _check_partitions(partition_types, [actual.shape for actual in partitions])
    except InferenceError as error:
        invalid(str(error))
    if not values.ndim:
        invalid("values must have at least one dimension, but had shape: []")
    levels = _row_splits(partitions, partition_types, values.shape[0])
    outer = [
        len(levels[0]) - 1,
        *(int(np.diff(row_splits).max(initial=0)) for row_splits in levels),
    ]
    sizes = [*outer, *values.shape[1:]]
    expected = np.asarray(shape)
    if expected.ndim > 1:
        invalid(f"shape must be a scalar or a vector, but had shape: {shape_text(expected.shape)}")
    if expected.ndim:
        if expected.min(initial=0) < -1:
            invalid(f"Dimension {expected[expected < -1][0]} must be >= -1")
        actual = tuple(None if size < 0 else int(size) for size in expected.tolist())
        try:
            combined_shape = _combine_shapes(len(levels), actual, values.shape)
        except InferenceError as error:
            invalid(str(error))
        sizes = [
            value_size if size is None else size for value_size, size in zip(sizes, combined_shape)
        ]
    result = np.empty(tuple(sizes), values.dtype)
    default = np.asarray(default_value, values.dtype)
    try:
        result[...] = default
    except ValueError:
        shapes = shape_text(default.shape), shape_text(result.shape)
        invalid(
            "Unable to broadcast default_value of shape {} to tensor of shape {}".format(*shapes)
        )
    rows = np.arange(values.shape[0])
    columns = []
    for row_splits in reversed(levels):
        lengths = np.diff(row_splits)
        owner = np.repeat(np.arange(lengths.size), lengths)
        columns.append((rows - row_splits[owner[rows]]) if rows.size else rows)
        rows = owner[rows]
    positions = [rows, *reversed(columns)]
    array = np.ones(values.shape[0], bool)
    for position, size in zip(positions, sizes):
        array &= position < size
    result[tuple(position[array] for position in positions)] = values[array]
    return result


def _as_str(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _row_splits(partitions: Any, partition_types: list[str], count: int) -> list[Any]:
    """Returns the row splits of each ragged dimension, outermost first."""
    rows, result = 0, []
    for partition_type, value in zip(partition_types, partitions):
        if partition_type == "FIRST_DIM_SIZE":
            rows = int(value)
        elif partition_type == "VALUE_ROWIDS":
            counts = np.bincount(value, minlength=rows)[:rows]
            result.append(np.concatenate([[0], np.cumsum(counts)]))
            rows = value.size
        else:
            if not value.size:
                invalid("Expect row_splits to have at least one element")
            result.append(np.asarray(value))
            rows = int(value[-1])
    if rows != count:
        invalid(f"Partition of {rows} values does not fit {count} values")
    return result


def _check_partitions(partition_types: list[str], partitions: Sequence[Dims]) -> None:
    """Raises InferenceError for partitions that are inconsistent or have an invalid rank."""
    for partition_type in partition_types:
        if partition_type == "ROW_LENGTHS":
            raise InferenceError(f"Unsupported partition type: {partition_type}")
        if partition_type not in ("FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS"):
            raise InferenceError(f"Unknown string for partition info type: {partition_type}")
    if not partition_types:
        raise InferenceError("Partition info types should not be empty")
    if len(partition_types) != len(partitions):
        raise InferenceError(
            f"Number of row partition tensors ({len(partitions)}) does not equal the number of row partition "
            f"types({len(partition_types)})."
        )
    if partition_types[0] == "VALUE_ROWIDS":
        raise InferenceError("VALUE_ROWIDS cannot be first")
    if partition_types[0] == "FIRST_DIM_SIZE" and partition_types[1:2] != ["VALUE_ROWIDS"]:
        raise InferenceError("FIRST_DIM_SIZE must be followed by VALUE_ROWIDS")
    if "FIRST_DIM_SIZE" in partition_types[1:]:
        raise InferenceError("FIRST_DIM_SIZE must be first")
    for partition_type, dims in zip(partition_types, partitions):
        is_scalar = partition_type == "FIRST_DIM_SIZE"
        if dims is not None and len(dims) != (0 if is_scalar else 1):
            raise InferenceError(
                "FIRST_DIM_SIZE must be a scalar."
                if is_scalar
                else "Row partition must be a vector."
            )


@ragged_tensor_to_tensor_op.infer
def _(op) -> Dims:
    partition_types = list(map(_as_str, op.get_attr("row_partition_types")))
    _check_partitions(partition_types, [tensor._dims for tensor in op.inputs[3:]])
    rank = len(partition_types) - (partition_types[0] == "FIRST_DIM_SIZE")
    with_rank_at_most(op.inputs[0]._dims, 1)
    shape = constant_dims(op.inputs[0])
    if shape is not None:
        note_value(op, 0, shape, is_shape=True)
    _check_default(op.inputs[2]._dims, op.inputs[1]._dims)
    return _combine_shapes(rank, shape, op.inputs[1]._dims)


def _check_default(default: Dims, values: Dims) -> None:
    """Raises InferenceError for a default value whose rank exceeds the rank of the values."""
    if default is not None and values is not None and len(default) > len(values):
        raise InferenceError(
            "default_value_shape must have no more dimensions than the value. default_value_shape: "
            f"{_message(default)} default_value_shape.dim_size(): {len(default)} value_shape: {_message(values)} "
            f"value_shape.dim_size(): {len(values)}"
        )


def _combine_shapes(ragged_rank: int, shape: Dims, values: Dims) -> Any:
    """Returns the shape of the result, as far as the values and the requested shape determine it."""
    if values is None:
        return shape
    if shape is None:
        shape = (None,) * (ragged_rank + len(values))
    if ragged_rank + len(values) != len(shape):
        raise InferenceError(
            f"Value shape ({_message(values)}), ragged_rank({ragged_rank}) and shape({_message(shape)}) do not have a "
            "consistent number of dimensions"
        )
    outer, inner = shape[: ragged_rank + 1], shape[ragged_rank + 1 :]
    for value_size, size in zip(values[1:], inner):
        if value_size is not None and size not in (None, value_size):
            raise InferenceError("Value and shape dimension are inconsistent.")
    return (
        *outer,
        *(
            size if value_size is None else value_size
            for value_size, size in zip(values[1:], inner)
        ),
    )


def _message(dims: Any) -> str:
    """Formats a shape as the text form of a TensorShapeProto."""
    return "".join(f"dim {{\n  size: {-1 if size is None else size}\n}}\n" for size in dims)


def _partition(ragged: Any) -> list[tuple[str, Tensor]]:
    """Returns the partitions of all dimensions, as row ids if the ragged tensor was built from row ids."""
    pairs = []
    for level in ragged._levels():
        if level._cached_value_rowids is None:
            pairs.append(("ROW_SPLITS", level.row_splits))
            continue
        if not pairs:
            pairs.append(("FIRST_DIM_SIZE", level.nrows()))
        pairs.append(("VALUE_ROWIDS", level.value_rowids()))
    return pairs


def _shape_tensor(shape: Any, dtype: Any) -> Tensor:
    if isinstance(shape, Tensor):
        return shape if shape.dtype in (dtypes.int32, dtypes.int64) else ops.cast(shape, dtype)
    static = as_shape(shape)
    if static.ndims is None:
        return ops.constant(-1, dtype=dtype)
    return ops.constant([-1 if size is None else size for size in static.as_list()], dtype=dtype)


def ragged_to_dense(rt_input: Any, default_value: Any = None, shape: Any = None) -> Tensor:
    """Converts a ragged tensor to a dense one of a shape (by default the smallest), filled with the default value."""
    partition_types, partitions = zip(*_partition(rt_input))
    values = rt_input.flat_values
    if default_value is None:
        default_value = ops.zeros((), values.dtype)
    return raw.RaggedTensorToTensor(
        shape=_shape_tensor(shape, partitions[0].dtype),
        values=values,
        default_value=default_value,
        row_partition_types=list(partition_types),
        row_partition_tensors=list(partitions),
    )


def from_tensor(
    tensor: Any,
    lengths: Any = None,
    padding: Any = None,
    ragged_rank: int = 1,
    row_splits_dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Any:
    """Same as `RaggedTensor.from_tensor`, but returns ragged tensors unchanged."""
    if is_ragged(tensor):
        return tensor
    return RaggedTensor.from_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)


def to_tensor(rt_input: Any, default_value: Any = None, name: str | None = None) -> Any:
    """Same as `RaggedTensor.to_tensor`, but returns dense tensors unchanged."""
    return rt_input.to_tensor(default_value, name) if is_ragged(rt_input) else rt_input


def to_sparse(rt_input: Any, name: str | None = None) -> Any:
    """Same as `RaggedTensor.to_sparse`."""
    return rt_input.to_sparse(name)


def from_sparse(st_input: Any, name: str | None = None) -> Any:
    """Same as `RaggedTensor.from_sparse`."""
    return RaggedTensor.from_sparse(st_input, name)
