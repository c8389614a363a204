"""Conversion between tensors and the fields of serialized protocol buffers.

The wire format is parsed here rather than with protobuf messages, which preserves the bytes of nested messages and
unnamed enum values (https://protobuf.dev/programming-guides/encoding).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from google.protobuf import (
    descriptor_database,
    descriptor_pb2,
    descriptor_pool,
    message_factory,
)

from tfmini._src.base import dtypes, proto
from tfmini._src.base.errors import DataLossError, UnimplementedError, invalid
from tfmini._src.formats.schemes import local_path
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import Dims, merge, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import c_name, unwrap_string
from tfmini._src.ops.parsing.wire_format import (
    BYTES,
    KINDS,
    packed_values,
    requested_fields,
    varint,
)
from tfmini._src.ops.string.string_elements import array_shape, list_strings, vector

# Packed values of a non-repeated field, which TensorFlow overwrites with the default.
_PACKED = object()
_TOO_MANY_PACKED = "ReadPackedValues: Tried to write more entries than allowed."
_NO_SOURCE = "Source does not represent serialized file descriptor set proto."


@op(
    "DecodeProtoV2",
    "bytes: string -> sizes: int32, values: output_types",
    sized_by_values=True,
    differentiable=False,
    message_type=Attr("string"),
    field_names=Attr("list(string)"),
    output_types=Attr("list(type)", minimum=0),
    descriptor_source="local://",
    message_format="binary",
    sanitize=False,
    file_attr=("descriptor_source", "(?!local://$|bytes://).+"),
)
def decode_proto_op(
    xp,
    data,
    *,
    message_type,
    field_names,
    output_types,
    descriptor_source,
    message_format,
    sanitize,
):
    if len(field_names) != len(output_types):
        invalid("field_names and output_types attributes must have the same length")
    if message_format not in ("binary", "text"):
        invalid("format must be one of binary or text")
    message = _message(message_type, descriptor_source)
    fields = [_field(message, name) for name in field_names]
    for field, dtype in zip(fields, output_types):
        if dtype not in KINDS[field.type].dtypes:
            invalid(
                f"Unexpected output type for {field.full_name}: {field.cpp_type} to {dtype.as_datatype_enum}"
            )
    records = list_strings(data)
    if not records:
        invalid("Bufs argument must contain at least one value")
    if message_format == "text":
        records = [_parse_text(message, record) for record in records]
    elif sanitize:
        records = [_sanitize(message, record) for record in records]
    rows = [_decode_fields(record, fields) for record in records]
    sizes = np.array([[len(values) for values in row] for row in rows], np.int32)
    shape = array_shape(data)
    columns = (
        _field_column([row[i] for row in rows], field, dtype, shape)
        for i, (field, dtype) in enumerate(zip(fields, output_types))
    )
    return sizes.reshape(*shape, len(fields)), *columns


def _field_column(rows: Sequence[list], field: Any, dtype: dtypes.DType, shape: tuple) -> Any:
    """Returns a field of all messages, with the default of the field for missing values."""
    is_repeated = _is_repeated(field)
    width = max(1, *map(len, rows)) if is_repeated else 1
    padding = KINDS[field.type].read(b"") if dtype is dtypes.string else 0
    if not is_repeated and field.type != 11:
        default_value = field.default_value
        padding = default_value.encode() if isinstance(default_value, str) else default_value
    filled = [[*values, *[padding] * (width - len(values))] for values in rows]
    if dtype is dtypes.string:
        return vector([value for row in filled for value in row]).reshape(*shape, width)
    return np.array(filled, dtype.as_numpy_dtype).reshape(*shape, width)


def _is_repeated(field: Any) -> bool:
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == 3  # protobuf < 6


def _decode_fields(data: bytes, fields: Sequence[Any]) -> list[list]:
    """Returns the values of each field in a message; for a non-repeated field, only the last one."""
    rows: dict[int, list] = {field.number: [] for field in fields}
    by_number = {field.number: field for field in fields}
    kinds = {field.number: KINDS[field.type] for field in fields}
    for number, wire, value in requested_fields(data, kinds):
        row, kind, field = rows[number], kinds[number], by_number[number]
        if wire == kind.wire:
            row.append(kind.read(value))
        elif _is_repeated(field):
            row += packed_values(value, kind)
        elif row and row[-1] is not _PACKED:
            text = f"Field tag: {number}, Max entries allowed: 1"
            raise DataLossError(None, None, f"{_TOO_MANY_PACKED}  {text}")
        elif any(True for _ in packed_values(value, kind)):
            row.append(_PACKED)
    return [
        rows[field.number]
        if _is_repeated(field)
        else [field.default_value if v is _PACKED else v for v in rows[field.number][-1:]]
        for field in fields
    ]


def _parse_text(message: Any, text: bytes) -> bytes:
    result = _message_class(message)()
    try:
        return proto.parse_text(text.decode(), result).SerializeToString()
    except (proto.parse_errors()[1], UnicodeDecodeError) as error:
        raise DataLossError(None, None, "Unable to parse text protobuf") from error


def _sanitize(message: Any, record: bytes) -> bytes:
    """Parses and reserializes a record."""
    result = _message_class(message)()
    try:
        result.ParseFromString(record)
    except proto.DecodeError as error:
        raise DataLossError(None, None, "Unable to parse binary protobuf") from error
    if not result.IsInitialized():
        raise DataLossError(None, None, "Unable to parse binary protobuf")
    return result.SerializeToString()


def _message_class(message: Any) -> Any:
    return message_factory.GetMessageClass(message)


@op(
    "EncodeProto",
    "sizes: int32, values: Tinput_types -> bytes: string",
    differentiable=False,
    field_names=Attr("list(string)"),
    message_type=Attr("string"),
    descriptor_source="local://",
    Tinput_types=Attr("list(type)", minimum=1),
    file_attr=("descriptor_source", "(?!local://$|bytes://).+"),
)
def encode_proto_op(
    xp, sizes, values, *, field_names, message_type, descriptor_source, Tinput_types
):
    message = _message(message_type, descriptor_source)
    fields = [_field(message, name, extends=False) for name in field_names]
    if len(fields) != len(values):
        invalid("Length of inputs list must match field_names")
    for field, name, dtype in zip(fields, field_names, Tinput_types):
        field_kind = KINDS[field.type]
        if dtype not in field_kind.dtypes:
            invalid(
                f"Incompatible type for field {name}.  Saw dtype: {c_name(dtype)} but field type is: {field_kind.name}"
            )
    batch = values[0].shape[:-1]
    for value in values:
        if value.shape[:-1] != batch:
            invalid("Values must match up to the last dimension")
    required = (*batch, len(fields))
    if sizes.shape != required:
        saw, expected = (str([*shape]).replace(" ", "") for shape in (sizes.shape, required))
        invalid(
            f"sizes should be batch_size + [len(field_names)].  Saw: {saw} but expected: {expected}"
        )
    order = sorted(range(len(fields)), key=lambda i: fields[i].number)
    rows = [value.reshape(-1, value.shape[-1]) for value in values]
    messages = []
    for message_index, counts in enumerate(sizes.reshape(-1, len(fields)).tolist()):
        parts = []
        for i in order:
            value_count = len(rows[i][message_index])
            if counts[i] > value_count:
                invalid(
                    f"Size to write must not be larger than value tensor; but saw: {counts[i]} > {value_count} "
                    f"at message {message_index} field {i}"
                )
            parts.append(_encode(fields[i], rows[i][message_index, : max(counts[i], 0)].tolist()))
        messages.append(b"".join(parts))
    return unwrap_string(vector(messages).reshape(batch))


def _encode(field: Any, values: list) -> bytes:
    """Encodes the values of a field in wire format."""
    field_kind = KINDS[field.type]
    data = [field_kind.written(value) for value in values]
    if field.GetOptions().packed and data:  # proto3's packed default is ignored
        packed = b"".join(data)
        return varint(field.number << 3 | BYTES) + varint(len(packed)) + packed
    tag = varint(field.number << 3 | field_kind.wire)
    return b"".join(tag + value for value in data)


def _message(name: str, source: str | bytes) -> Any:
    """Looks up the message descriptor in the descriptor source."""
    name = _utf_8(name)
    try:
        return _pool(source).FindMessageTypeByName(name)
    except KeyError:
        invalid(f"No descriptor found for message type {name}")


def _utf_8(name: str | bytes) -> str:
    """Decodes a name as UTF-8, which all descriptors use."""
    return os.fsencode(name).decode("utf-8", "replace")


def _field(message: Any, name: str, extends: bool = True) -> Any:
    """Returns the field with this name or, with `extends`, the extension."""
    name = _utf_8(name)
    descriptor = message.fields_by_name.get(name)
    if descriptor is None and extends:
        extensions = message.file.pool.FindAllExtensions(message)
        descriptor = next((e for e in extensions if e.full_name == name), None)
    if descriptor is None or descriptor.type not in KINDS:
        invalid(f"Unknown field: {name} in message type {message.full_name}")
    return descriptor


def _pool(source: str | bytes) -> Any:
    """Returns the descriptor pool of a source: `local://` (TensorFlow's own), `bytes://...`, or a file path."""
    data = to_bytes(source)
    if data in (b"", b"local://"):
        return proto.GraphDef.DESCRIPTOR.file.pool
    if data.startswith(b"bytes://"):
        return _build_descriptor_pool(data.removeprefix(b"bytes://"))
    try:
        with open(local_path(data), "rb") as file:
            serialized = file.read()
    except (OSError, UnimplementedError):
        invalid(_NO_SOURCE)
    return _build_descriptor_pool(serialized)


@lru_cache(maxsize=16)
def _build_descriptor_pool(serialized: bytes) -> Any:
    """Returns the descriptor pool of a serialized FileDescriptorSet."""
    try:
        files = descriptor_pb2.FileDescriptorSet.FromString(serialized).file
    except proto.DecodeError:
        invalid(_NO_SOURCE)
    database = descriptor_database.DescriptorDatabase()
    for file in files:
        database.Add(file)
    pool = descriptor_pool.DescriptorPool(database)
    for file in files:  # extensions are known only for loaded files
        pool.FindFileByName(file.name)
    return pool


@decode_proto_op.infer
def _infer_decoded_shapes(node: Operation) -> list[Dims]:
    batch = node.inputs[0]._dims
    if batch is None:
        return [None] * len(node.outputs)
    count = len(node.outputs) - 1
    return [(*batch, count), *[(*batch, None)] * count]


@encode_proto_op.infer
def _encoded_shape(node: Operation) -> Dims:
    batch: Dims = None
    for value in node.inputs[1:]:
        dims = with_rank_at_least(value._dims, 2)
        batch = merge(batch, None if dims is None else dims[:-1])
    return batch


def decode_proto(
    bytes: TensorLike,
    message_type: str,
    field_names: Sequence[str],
    output_types: Sequence[Any],
    descriptor_source: str | bytes = "local://",
    message_format: str = "binary",
    sanitize: bool = False,
    name: str | None = None,
) -> Any:
    """Decodes fields of serialized protocol buffers to tensors.

    Nested messages are returned in serialized form, for another `decode_proto`. Extensions are specified by
    their full names; `encode_proto` does not support them.

        message = tf.train.Int64List(value=[1, 2]).SerializeToString()
        sizes, (values,) = tf.io.decode_proto([message], "tensorflow.Int64List", ["value"], [tf.int64])
        # sizes [[2]], values [[1, 2]]

    Args:
      bytes: string tensor of any shape, one message per element.
      message_type: the full name of the message type.
      field_names: the names of the fields.
      output_types: the dtype of each field: its own dtype, or the 64-bit dtype for float, int32 and uint32;
        int32 for enums, string for messages.
      descriptor_source: `local://` for TensorFlow's messages, the path to a serialized FileDescriptorSet,
        or `bytes://` followed by one.
      message_format: `binary` or `text`.
      sanitize: whether to parse and reserialize the messages first.

    Returns:
      `sizes`, an int32 Tensor of the shape of `bytes` plus an axis of fields: the number of values in each message; and
      `values`, a list of Tensors of the shape of `bytes` plus an axis of the maximum number of values (1 for a
      non-repeated field). Missing values are the default of the field, or 0 or an empty string if it is repeated.

    Raises:
      InvalidArgumentError (when run): if the message type or a field is unknown, or a field has the wrong type.
      DataLossError (when run): if a string is not a valid message.
    """
    return raw.DecodeProtoV2(**locals())


def encode_proto(
    sizes: TensorLike,
    values: Sequence[Any],
    field_names: Sequence[str],
    message_type: str,
    descriptor_source: str | bytes = "local://",
    name: str | None = None,
) -> Tensor:
    """Encodes tensors as serialized protocol buffers, with fields in ascending order of number.

        tf.io.encode_proto([[2]], [[[1, 2]]], ["value"], "tensorflow.Int64List")

    Args:
      sizes: int32 tensor [..., number of fields] of value counts; the result has the shape of the leading axes.
      values: one tensor per field, [..., maximum count].
      field_names, message_type, descriptor_source: as in `tf.io.decode_proto`.

    Returns:
      A string Tensor, one message per row of sizes.

    Raises:
      InvalidArgumentError (when run): if the message type or a field is unknown, or a field has the wrong type or too
        few values.
    """
    return raw.EncodeProto(**locals())
