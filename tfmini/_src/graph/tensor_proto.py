"""Conversion of tensors to TensorProto messages, byte-identical to TensorFlow's, and back.

A message stores elements as raw bytes (`tensor_content`) or in a typed field. TensorFlow's Python writes
raw bytes for multiple elements of most number types, and the typed field otherwise; if a typed field holds
fewer elements than the shape, its last one repeats. Other writers choose differently, so a `Literal` remembers the
encoding that it was read from and is written back identically.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.attributes import Literal, to_bytes
from tfmini._src.graph.literals import check_fills, make_literal

# Dtypes written as raw bytes if there is more than one element.
_RAW = frozenset(
    dtypes.as_dtype(name)
    for name in (
        *("float32", "float64", "int32", "uint8", "int16", "int8", "int64", "uint32", "uint64"),
        *("qint8", "quint8", "qint16", "quint16", "qint32"),
    )
)

_FIELDS = {
    dtypes.float16: "half_val",
    dtypes.bfloat16: "half_val",
    dtypes.float32: "float_val",
    dtypes.float64: "double_val",
    dtypes.int64: "int64_val",
    dtypes.uint32: "uint32_val",
    dtypes.uint64: "uint64_val",
    dtypes.complex64: "scomplex_val",
    dtypes.complex128: "dcomplex_val",
    dtypes.string: "string_val",
    dtypes.bool: "bool_val",
    dtypes.resource: "resource_handle_val",
    dtypes.variant: "variant_val",
}
_INT_FIELD = "int_val"
_COMPONENT_DTYPES = {dtypes.complex64: np.float32, dtypes.complex128: np.float64}
_MAX_CONTENT_BYTES = 1 << 31  # maximum bytes of raw content


def literal_to_proto(literal: Literal) -> proto.TensorProto:
    """Converts a literal to a TensorProto."""
    dtype = literal.dtype
    message = proto.TensorProto(dtype=dtype.as_datatype_enum)
    message.tensor_shape.SetInParent()
    for size in literal.shape:
        message.tensor_shape.dim.add(size=size)
    by_rule = literal.compact is None and dtype in _RAW and literal.size > 1
    if literal.raw or by_rule:
        array = literal.array
        if array.nbytes >= _MAX_CONTENT_BYTES:
            raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")
        message.tensor_content = array.tobytes()
        return message
    values = literal.array if literal.compact is None else literal.compact
    field = getattr(message, _FIELDS.get(dtype, _INT_FIELD))
    field.extend(_field_items(values.ravel(), dtype))
    return message


def _field_items(values: np.ndarray, dtype: dtypes.DType) -> list[Any]:
    """Returns the elements as stored in the typed field."""
    if dtype is dtypes.string:
        return [to_bytes(value) for value in values]
    if dtype is dtypes.float16 or dtype is dtypes.bfloat16:
        values = np.ascontiguousarray(values).view(np.uint16)
    elif dtype in _COMPONENT_DTYPES:
        values = np.ascontiguousarray(values).view(_COMPONENT_DTYPES[dtype])
    elements: list[Any] = values.tolist()
    return [element[0] for element in elements] if dtype.is_quantized else elements


def _field_values(message: proto.TensorProto, dtype: dtypes.DType) -> np.ndarray:
    """Returns the elements in a message's typed field, as a vector."""
    field = getattr(message, _FIELDS.get(dtype, _INT_FIELD))
    if not dtype.is_numpy_compatible or dtype is dtypes.string:
        values = np.empty(len(field), object)
        values[:] = list(field)
        return values
    if dtype is dtypes.float16 or dtype is dtypes.bfloat16:
        # The low two bytes of each number; the other bytes are ignored.
        return np.fromiter(field, np.int32, len(field)).astype(np.uint16).view(dtype.numpy)
    if dtype in _COMPONENT_DTYPES:
        return np.fromiter(field, _COMPONENT_DTYPES[dtype], len(field)).view(dtype.numpy)
    if dtype.is_quantized:
        name = dtype.name
        return np.fromiter(field, dtype.numpy[name], len(field)).view(dtype.numpy)
    if dtype in _FIELDS:
        return np.fromiter(field, dtype.numpy, len(field))
    return np.fromiter(field, np.int32, len(field)).astype(dtype.numpy)


def proto_to_literal(message: proto.TensorProto) -> Literal:
    """Converts a TensorProto to a literal; values in excess of its shape are ignored."""
    try:
        dtype = dtypes.as_dtype(message.dtype)
    except TypeError as error:
        raise ValueError(f"Cannot parse tensor from proto: {error}") from None
    if dtype._is_ref_dtype:
        raise ValueError(f"Cannot parse tensor from proto: values of {dtype.name}")
    shape = tuple([dim.size for dim in message.tensor_shape.dim])
    size = 1
    for length in shape:
        size *= length
    content = message.tensor_content
    if content and dtype is dtypes.string:
        return Literal(_decode_strings(content, shape, size), dtype)
    if content and len(content) != size * dtype.size:
        raise ValueError(
            f"Cannot parse tensor from proto: {len(content)} bytes for {size} elements of "
            f"{dtype.name}"
        )
    if size < 0:
        raise ValueError(f"Cannot parse tensor from proto: a shape of {shape}")
    try:
        if content:
            array = np.frombuffer(content, dtype.numpy).reshape(shape)
            return Literal(array, dtype, raw=dtype not in _RAW or size <= 1)
        values = _field_values(message, dtype)
        if values.size >= size:
            array = values[:size].reshape(shape)
        else:  # broadcast: the declared size without the memory
            fill = values[-1:] if values.size else _default_element(dtype)
            array = np.broadcast_to(fill.reshape((1,) * len(shape)), shape)
    except (OverflowError, ValueError):  # sizes above NumPy's 63 bits
        raise ValueError(
            f"Cannot parse tensor from proto: {size} elements of {dtype.name} in a shape of {shape}"
        ) from None
    if 1 < values.size < size:
        return Literal(None, dtype, values, shape=shape)
    array.flags.writeable = False
    is_default = values.size == size and not (dtype in _RAW and size > 1)
    return Literal(array, dtype, None if is_default else values)


def _decode_strings(content: bytes, shape: tuple[int, ...], size: int) -> np.ndarray:
    """Decodes strings in the wire format between tasks: all lengths, then all bytes."""
    ends, offset, total = [], 0, 0
    for _ in range(size if size <= len(content) else -1):
        length = shift = 0
        while offset < len(content) and content[offset] > 0x7F and shift < 63:
            length |= (content[offset] & 0x7F) << shift
            offset, shift = offset + 1, shift + 7
        if offset < len(content):
            length |= content[offset] << shift
        offset, total = offset + 1, total + length
        ends.append(total)
    if len(ends) != size or offset + total != len(content):
        raise ValueError(
            f"Cannot parse tensor from proto: {len(content)} bytes for {size} elements of string"
        )
    array = np.empty(size, object)
    array[:] = [content[offset + a : offset + b] for a, b in zip([0, *ends], ends)]
    array = array.reshape(shape)
    array.flags.writeable = False
    return array


def _default_element(dtype: dtypes.DType) -> np.ndarray:
    """Returns the default element as a vector, for messages without elements."""
    array = np.zeros(1, dtype.numpy)
    if dtype is dtypes.string:
        array.fill(b"")
    return array


def make_tensor_proto(
    values: object,
    dtype: DTypeLike | None = None,
    shape: Sequence[int] | None = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> proto.TensorProto:
    """Converts `values` to a TensorProto.

    Args:
      values: a number, string, numpy array or nested list; a TensorProto is returned unchanged.
      dtype: its dtype; default: float32 for Python floats, int32 for ints that fit.
      shape: its shape, a list; the last element of shorter `values` is repeated.
      verify_shape: raises TypeError unless `values` has exactly this shape.
      allow_broadcast: raises TypeError unless `values` fills the shape or is a single element.

    Raises:
      TypeError: if the values do not match the dtype, or the shape with either flag.
      ValueError: for None, ragged lists, more values than `shape` holds, or both flags.

    Example: `tf.make_tensor_proto([1.0, 2.0]).tensor_shape.dim[0].size` is 2.
    """
    if allow_broadcast and verify_shape:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    if isinstance(values, proto.TensorProto):
        return values
    if hasattr(values, "_array"):  # an eager tensor
        values = np.asarray(values)
    if allow_broadcast and shape is not None:
        check_fills(make_literal(values, dtype), tuple(int(dim) for dim in shape))
    return literal_to_proto(make_literal(values, dtype, shape, verify_shape))


def MakeNdarray(tensor: proto.TensorProto) -> np.ndarray:
    """Converts a TensorProto to a numpy array, always a copy.

    Strings are returned as bytes in an object array.

    Raises:
      TypeError: for handles, and for types that TensorFlow cannot read here (uint32 and uint64
        in their own fields).
      ValueError: if it holds more elements than its shape.

    Example: `tf.make_ndarray(tf.make_tensor_proto([[1, 2]]))` is `array([[1, 2]], dtype=int32)`.
    """
    dtype = dtypes.as_dtype(tensor.dtype)
    unreadable = dtype in (dtypes.uint32, dtypes.uint64) and not tensor.tensor_content
    if unreadable or not dtype.is_numpy_compatible or dtype._is_ref_dtype:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}")
    literal = proto_to_literal(tensor)
    if literal.compact is not None and literal.compact.size > literal.array.size:
        raise ValueError(
            f"cannot reshape array of size {literal.compact.size} into shape {literal.shape}"
        )
    return np.array(literal.array, order="C", copy=True)


def proto_sizes(shape: proto.TensorShapeProto) -> list[int]:
    """Returns the sizes in a TensorShapeProto, -1 for unknown ones."""
    return [dim.size for dim in shape.dim]


def has_shape(tensor_proto: proto.TensorProto, shape: Any) -> bool:
    """Whether a TensorProto's shape matches `shape`, a TensorShapeProto, list or tuple, in their common dimensions.

    Raises:
      TypeError: for arguments of other types.
    """
    if not isinstance(tensor_proto, proto.TensorProto):
        raise TypeError("tensor_proto is not a tensor_pb2.TensorProto object")
    if isinstance(shape, proto.TensorShapeProto):
        shape = proto_sizes(shape)
    elif not isinstance(shape, list | tuple):
        raise TypeError("shape is not a list or tuple")
    return all(x == y for x, y in zip(proto_sizes(tensor_proto.tensor_shape), shape))
