"""Decoding of strings: base64, raw binary numbers, compressed data."""

from __future__ import annotations

import re
import zlib
from binascii import a2b_base64, b2a_base64
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import DataLossError, invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.host.native.strings import (
    decode_base64_strings,
    encode_base64_strings,
    join_strings,
)
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    same_shape,
    size_input,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import c_name, shape_text
from tfmini._src.ops.string.string_elements import array_shape, flat, list_strings, map_strings

_BASE64 = re.compile(rb"[A-Za-z0-9_-]*")
_BASE64_TO_URL, _URL_TO_BASE64 = bytes.maketrans(b"+/", b"-_"), bytes.maketrans(b"-_", b"+/")


@op(
    "EncodeBase64",
    "input: string -> output: string",
    differentiable=False,
    infer=same_shape,
    pad=False,
)
def encode_base64_op(xp, value, *, pad):
    encoded = encode_base64_strings(value, pad)
    if encoded is not None:
        return encoded
    padding_bytes = b"" if pad else b"="
    return map_strings(
        lambda data: b2a_base64(data, newline=False).translate(_BASE64_TO_URL, padding_bytes), value
    )


@op("DecodeBase64", "input: string -> output: string", infer=same_shape, differentiable=False)
def decode_base64_op(xp, value):
    decoded = decode_base64_strings(value)
    return map_strings(_decode, value) if decoded is None else decoded


def _decode(data: bytes) -> bytes:
    read = _BASE64.match(data).end()  # type: ignore[union-attr]
    if read == len(data) and read % 4 != 1:
        return a2b_base64((data + b"==" if read % 4 else data).translate(_URL_TO_BASE64))
    if len(data) % 4 == 1 and read >= len(data) - 1:
        invalid("Base64 string length cannot be 1 modulo 4.")
    padding = data[read:]
    if padding not in (b"", b"=", b"==") or (padding and len(data) % 4):
        invalid("Invalid character found in base64.")
    return a2b_base64(data.translate(_URL_TO_BASE64))


@op(
    "DecodeRaw",
    "bytes: string -> output: out_type",
    differentiable=False,
    out_type=(
        *(dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint16),
        *(dtypes.uint8, dtypes.int16, dtypes.int8, dtypes.int64),
        *(dtypes.complex64, dtypes.complex128, dtypes.bool),
    ),
    little_endian=True,
)
def decode_raw_op(xp, value, *, out_type, little_endian):
    strings, shape = flat(value), array_shape(value)
    dtype = np.dtype(out_type.as_numpy_dtype)
    if not strings.size:
        return np.zeros((*shape, 0), dtype)
    size = len(strings[0])
    elements = join_strings(strings, size)
    if elements is None:
        for index, data in enumerate(strings):
            if len(data) != size:
                invalid(
                    "DecodeRaw requires input strings to all be the same size, but element "
                    f"{index} has size {size} != {len(data)}"
                )
        elements = np.frombuffer(bytearray().join(strings), np.uint8)
    if size % dtype.itemsize:
        invalid(
            f"Input to DecodeRaw has length {size} that is not a multiple of {dtype.itemsize}, "
            f"the size of {c_name(out_type)}"
        )
    if not little_endian:  # swaps both parts of a complex number
        elements = elements.reshape(-1, dtype.itemsize)[:, ::-1].copy()
    return elements.view(dtype).reshape((*shape, size // dtype.itemsize))


@decode_raw_op.infer
def _(op) -> Dims:
    dims = op.inputs[0]._dims
    return None if dims is None else (*dims, None)


@op(
    "DecodePaddedRaw",
    "input_bytes: string, fixed_length: int32 -> output: out_type",
    differentiable=False,
    out_type=(
        *(dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint16),
        *(dtypes.uint8, dtypes.int16, dtypes.int8, dtypes.int64),
    ),
    little_endian=True,
)
def decode_padded_raw_op(xp, value, fixed_length, *, out_type, little_endian):
    dtype, length = np.dtype(out_type.as_numpy_dtype), _padded_length(fixed_length, out_type)
    data = b"".join(text[:length].ljust(length, b"\0") for text in list_strings(value))
    values = np.frombuffer(data, dtype.newbyteorder("<" if little_endian else ">"))
    return values.astype(dtype).reshape((*array_shape(value), length // dtype.itemsize))


def _padded_length(fixed_length: Any, out_type: Any) -> int:
    """Validates and returns the length in bytes to which each string is truncated or padded."""
    if np.ndim(fixed_length):
        invalid(f"k must be scalar, got shape {shape_text(np.shape(fixed_length))}")
    length = int(fixed_length)
    if length <= 0:
        invalid(f"fixed_length ({length}) must be greater than zero.")
    if length % out_type.size:
        invalid(
            f"fixed_length ({length}) must be a multiple of the size of out_type ({out_type.size})"
        )
    return length


@decode_padded_raw_op.infer
def _(op) -> Dims:
    length, size = size_input(op, 1), op.attrs["out_type"].size
    if length is not None and length % size:
        raise InferenceError(f"Dimension size must be evenly divisible by {size} but is {length}")
    dims = op.inputs[0]._dims
    return None if dims is None else (*dims, None if length is None else length // size)


@op(
    "DecodeCompressed",
    "bytes: string -> output: string",
    sized_by_values=True,
    infer=same_shape,
    compression_type="",
)
def decode_compressed_op(xp, value, *, compression_type):
    bits = {"": None, "ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS + 16}
    if compression_type not in bits:
        invalid("Only ZLIB, GZIP or NONE are supported compressions")
    window = bits[compression_type]
    if window is None:
        return value
    return map_strings(lambda data: _inflate(data, window), value)


def _inflate(data: bytes, window: int) -> bytes:
    try:
        return zlib.decompressobj(window).decompress(data)
    except zlib.error as error:
        reason = str(error).rpartition(": ")[2]
        raise DataLossError(None, None, f"inflate() failed with error -3: {reason}") from error


@public
def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Encodes strings in web-safe base64; `pad` appends "="."""
    return raw.EncodeBase64(input, pad=pad, name=name)


@public
def decode_base64(input: TensorLike, name: str | None = None) -> Tensor:
    """Decodes strings encoded by `tf.encode_base64`.

    Args:
      input: string tensor, with or without padding.

    Returns:
      A string Tensor of the same shape.

    Raises:
      InvalidArgumentError (when run): if a string is not valid base64.
    """
    return raw.DecodeBase64(input, name=name)


@public
@deprecated_args(None, "bytes is deprecated, use input_bytes instead", "bytes")
def decode_raw(
    input_bytes: TensorLike | None = None,
    out_type: DTypeLike | None = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: TensorLike | None = None,
) -> Tensor:
    """Reinterprets the bytes of strings as numbers.

    Args:
      input_bytes: string tensor; all strings have the same length.
      out_type: the dtype of the numbers.
      little_endian: whether the least significant byte comes first.
      bytes: the old name of `input_bytes`.

    Returns:
      A Tensor of `out_type` with one additional axis.

    Raises:
      InvalidArgumentError (when run): if lengths differ or are not a multiple of the element size.

    Example: `tf.decode_raw(["ab"], tf.uint8)` is `[[97, 98]]`.
    """
    input_bytes = deprecated_argument_lookup("input_bytes", input_bytes, "bytes", bytes)
    if out_type is None:
        raise ValueError("decode_raw_v1() missing 1 positional argument: 'out_type'")
    return raw.DecodeRaw(input_bytes, out_type=out_type, little_endian=little_endian, name=name)


def decode_raw_or_padded(
    input_bytes: Any,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: Any = None,
    name: str | None = None,
) -> Tensor:
    """`tf.decode_raw` that truncates or zero-pads strings to `fixed_length` bytes, if set.

    Args:
      input_bytes: string tensor; all strings have the same length, unless `fixed_length` is set.
      out_type: the dtype of the numbers.
      little_endian: whether the least significant byte comes first.
      fixed_length: scalar int32, the length in bytes, a multiple of the element size.

    Returns:
      A Tensor of `out_type` with one additional axis.

    Raises:
      ValueError: if `fixed_length` is statically known, and negative or not a multiple of the element size.
      InvalidArgumentError (when run): if string lengths differ or are not a multiple of the element size.
    """
    if fixed_length is None:
        return raw.DecodeRaw(input_bytes, out_type=out_type, little_endian=little_endian, name=name)
    return raw.DecodePaddedRaw(
        input_bytes, fixed_length, out_type=out_type, little_endian=little_endian, name=name
    )


@public
def decode_compressed(
    bytes: TensorLike, compression_type: str = "", name: str | None = None
) -> Tensor:
    """Decompresses strings; `compression_type` is "", "ZLIB" or "GZIP".

    Raises:
      InvalidArgumentError (when run): for an unknown type; DataLossError (when run): for corrupted data.
    """
    return raw.DecodeCompressed(bytes, compression_type=compression_type, name=name)
