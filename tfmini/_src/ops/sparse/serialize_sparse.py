"""Serialization of sparse tensors as three strings (TensorProtos), individually or in batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.formats.varints import varint
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.graph.tensor_proto import literal_to_proto, proto_to_literal
from tfmini._src.ops.operands import ANY, c_name, dense, shape_text
from tfmini._src.ops.sparse.sparse_indices import as_sparse, check_order, check_parts, check_sizes

_FORM = Attr("type", dtypes.string, allowed=(dtypes.string, dtypes.variant))
_SPARSE_INPUTS = (
    "sparse_indices: int64, sparse_values: T, sparse_shape: int64 -> serialized_sparse: out_type"
)
_SPARSE_OUTPUTS = "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64"
_STATIC = ("sparse_indices", "sparse_shape")


def _pack(array: np.ndarray, form: dtypes.DType) -> Any:
    """Packs a tensor as a variant, or as the TensorProto that TensorFlow's C++ code writes.

    The proto contains raw content, in which strings are their lengths followed by their bytes.
    """
    if form is dtypes.variant:
        return array.copy()
    dtype = dtypes.as_dtype(array.dtype)
    if dtype is not dtypes.string:
        literal = Literal(np.ascontiguousarray(array), dtype, raw=True)
        return literal_to_proto(literal).SerializeToString()
    items = array.ravel().tolist()
    message = proto.TensorProto(dtype=dtype.as_datatype_enum)
    for size in array.shape:
        message.tensor_shape.dim.add(size=size)
    message.tensor_content = b"".join([*(varint(len(s)) for s in items), *items])
    return message.SerializeToString()


def _unpack(item: Any) -> np.ndarray:
    if isinstance(item, np.ndarray):
        return item
    try:
        message = proto.TensorProto.FromString(item)
        if message.dtype == dtypes.string.as_datatype_enum and message.tensor_content:
            return _strings(message)
        return proto_to_literal(message).array
    except Exception:  # raised by protobuf and NumPy for malformed messages
        raise invalid("Could not parse serialized proto") from None


def _strings(message: Any) -> np.ndarray:
    shape = [dim.size for dim in message.tensor_shape.dim]
    content, lengths, offset = message.tensor_content, [], 0
    for _ in range(int(np.prod(shape))):
        length = shift = 0
        while True:
            byte = content[offset]
            offset += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        lengths.append(length)
    items = np.empty(len(lengths), object)
    for i, length in enumerate(lengths):
        items[i] = content[offset : offset + length]
        offset += length
    return items.reshape(shape)


def _row(parts: tuple, form: dtypes.DType) -> np.ndarray:
    array = np.empty(3, object)
    for i, part in enumerate(parts):
        array[i] = _pack(part, form)
    return array


@op("SerializeSparse", _SPARSE_INPUTS, static_inputs=_STATIC, T=ANY, out_type=_FORM)
def serialize_sparse_op(xp, positions, values, shape, *, out_type):
    check_parts(positions, values, shape)
    return _row((positions, values, shape), out_type)


@serialize_sparse_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[0]._dims, 2)
    with_rank(op.inputs[1]._dims, 1)
    with_rank(op.inputs[2]._dims, 1)
    return (3,)


@op("SerializeManySparse", _SPARSE_INPUTS, static_inputs=_STATIC, T=ANY, out_type=_FORM)
def serialize_many_sparse_op(xp, positions, values, shape, *, out_type):
    check_parts(positions, values, shape)
    if shape.size < 2:
        invalid(f"Rank of input SparseTensor should be > 1, but saw rank: {shape.size}")
    check_sizes(positions, values, shape)
    check_order(xp, positions, shape)
    count = int(shape[0])
    result = np.empty((count, 3), object)
    ends = np.searchsorted(positions[:, 0], np.arange(count + 1))
    for i, (start, end) in enumerate(zip(ends[:-1], ends[1:])):
        result[i] = _row((positions[start:end, 1:], values[start:end], shape[1:]), out_type)
    return result


@serialize_many_sparse_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[0]._dims, 2)
    with_rank(op.inputs[1]._dims, 1)
    with_rank(op.inputs[2]._dims, 1)
    return (None, 3)


def _restore(serialized: Any, dtype: dtypes.DType) -> tuple:
    """Restores sparse tensors from [..., 3] strings, whose leading axes are prepended to the axes of the tensors."""
    outer = serialized.shape[:-1]
    rows = serialized.reshape(-1, 3)
    parts = [tuple(_unpack(item) for item in row) for row in rows]
    sizes: Any = None
    for i, (positions, values, shape) in enumerate(parts):
        _check_sparse_tensor(i, positions, values, shape, dtype)
        if sizes is None:
            sizes = shape.copy()
        elif shape.size != sizes.size:
            invalid(
                f"Inconsistent shape across SparseTensors: rank prior to SparseTensor[{i}] was: "
                f"{sizes.size} but rank of SparseTensor[{i}] is: {shape.size}"
            )
        else:
            sizes = np.maximum(sizes, shape)
    if not outer:
        return tuple(part.copy() for part in parts[0])
    prefixes = np.indices(outer).reshape(len(outer), -1).T
    restored = [
        np.concatenate([np.tile(prefix, (len(part[0]), 1)), part[0]], axis=1)
        for prefix, part in zip(prefixes, parts)
    ]
    full_shape = np.concatenate([np.array(outer, "i8"), sizes])
    return np.concatenate(restored), np.concatenate([part[1] for part in parts]), full_shape


def _check_sparse_tensor(
    i: int, positions: Any, values: Any, shape: Any, dtype: dtypes.DType
) -> None:
    label = f"SparseTensor[{i}]"
    for name, rank, part in (("indices", 2, positions), ("values", 1, values), ("shape", 1, shape)):
        if part.ndim != rank:
            rank_name = "matrix" if rank == 2 else "vector"
            invalid(
                f"Expected serialized_sparse[{i}, {('indices', 'values', 'shape').index(name)}] to "
                f"represent an index {rank_name} but received shape {shape_text(part.shape)}"
            )
    stored = dtypes.as_dtype(values.dtype)
    if stored is not dtype:
        expected, actual = c_name(dtype), c_name(stored)
        invalid(f"Requested SparseTensor of type {expected} but {label}.values.dtype() == {actual}")
    if len(positions) != len(values):
        invalid(
            f"Expected row counts of indices and values to match but they do not: {len(positions)} vs. "
            f"{len(values)}"
        )
    if positions.shape[1] != shape.size:
        invalid(
            "Expected column counts of indices to match size of shape but they do not: "
            f"{positions.shape[1]} vs. {shape.size}"
        )


@op("DeserializeManySparse", f"serialized_sparse: string -> {_SPARSE_OUTPUTS}", dtype=ANY)
def deserialize_many_sparse_op(xp, serialized, *, dtype):
    return deserialize_sparse_op.kernel(xp, serialized, dtype=dtype)


@deserialize_many_sparse_op.infer
def _(op) -> list[Dims]:
    _check_triples(with_rank(op.inputs[0]._dims, 2))
    return [(None, None), (None,), (None,)]


def _check_triples(dims: Dims) -> None:
    if dims and dims[-1] not in (None, 3):
        raise InferenceError(f"Dimension must be 3 but is {dims[-1]}")


@op(
    "DeserializeSparse",
    f"serialized_sparse: Tserialized -> {_SPARSE_OUTPUTS}",
    dtype=ANY,
    Tserialized=_FORM,
)
def deserialize_sparse_op(xp, serialized, *, dtype):
    serialized = dense(serialized)
    if not serialized.ndim:
        invalid("Serialized sparse should have non-zero rank []")
    if not serialized.size:
        invalid(
            "Serialized sparse should have at least 1 serialized tensor, but has a zero dimension "
            f"{shape_text(serialized.shape)}"
        )
    if serialized.shape[-1] != 3:
        invalid(
            f"Serialized sparse should have 3 as the last dimension {shape_text(serialized.shape)}"
        )
    return _restore(serialized, dtype)


@deserialize_sparse_op.infer
def _(op) -> list[Dims]:
    _check_triples(op.inputs[0]._dims)
    return [(None, None), (None,), (None,)]


def serialize_sparse(
    sp_input: TensorLike, name: str | None = None, out_type: DTypeLike = dtypes.string
) -> Tensor:
    """Serializes a SparseTensor as a vector of three strings: indices, values and shape.

    Args:
      sp_input: a SparseTensor.
      out_type: `tf.string`, or `tf.variant` for graph-internal use.
    """
    x = as_sparse(sp_input)
    return raw.SerializeSparse(x.indices, x.values, x.dense_shape, name=name, out_type=out_type)


def serialize_many_sparse(
    sp_input: TensorLike, name: str | None = None, out_type: DTypeLike = dtypes.string
) -> Tensor:
    """Serializes each row of a SparseTensor [n, ...] as three strings; returns a Tensor [n, 3].

    Args:
      sp_input: a SparseTensor of rank 2 or more.
      out_type: `tf.string`, or `tf.variant` for graph-internal use.
    """
    x = as_sparse(sp_input)
    return raw.SerializeManySparse(x.indices, x.values, x.dense_shape, name=name, out_type=out_type)


def deserialize_many_sparse(
    serialized_sparse: TensorLike,
    dtype: DTypeLike,
    rank: int | None = None,
    name: str | None = None,
) -> SparseTensor:
    """Deserializes SparseTensors and stacks them along a new first axis.

    Args:
      serialized_sparse: string Tensor [n, 3], as returned by `tf.serialize_many_sparse`.
      dtype: the dtype of the values.
      rank: the rank of the result, if known.

    Returns:
      SparseTensor [n, ...] with the maximum of the sizes.

    Raises:
      InvalidArgumentError (when run): if a string is malformed, or the dtype or rank differs.
    """
    positions, values, shape = raw.DeserializeManySparse(serialized_sparse, dtype=dtype, name=name)
    positions.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(positions, values, shape)
