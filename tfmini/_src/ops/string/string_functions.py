"""Elementwise string functions: length, substring, case, stripping of whitespace."""

from __future__ import annotations

import sys

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.devices.host.native.strings import parse_numbers, slice_strings
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    broadcast_dims,
    same_shape,
    text,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import INDEX, dense, shape_text, unwrap_string
from tfmini._src.ops.string.string_elements import list_strings, map_strings, numbers, vector

_UNIT = Attr("string", "BYTE", allowed=("BYTE", "UTF8_CHAR"))
# UTF-8 continuation bytes.
_CONTINUATION = bytes(range(0x80, 0xC0))


@op("StringLength", "input: string -> output: int32", infer=same_shape, unit=_UNIT)
def string_length_op(xp, value, *, unit):
    if unit == "BYTE" and value.__class__ is bytes:
        return np.int32(len(value))
    joined = b"" if unit == "BYTE" else b"".join(list_strings(value))
    if joined.isascii():
        lengths = parse_numbers("lengths", value, np.int64)
        if lengths is not None:
            return unwrap_string(lengths.astype(np.int32))
        return numbers(map(len, list_strings(value)), value, np.int32)
    characters = (len(string.translate(None, _CONTINUATION)) for string in list_strings(value))
    return numbers(characters, value, np.int32)


def _check_encoding(encoding: str) -> bool:
    if encoding not in ("", "utf-8"):
        invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding}")
    return encoding == "utf-8"


def _c_string(string: bytes) -> str:
    """Returns the characters of a string before the first NUL, which ends it in TensorFlow as in C."""
    return string.split(b"\0")[0].decode("utf-8", "replace")


@op("StringLower", "input: string -> output: string", infer=same_shape, encoding="")
def string_lower_op(xp, value, *, encoding):
    if _check_encoding(encoding):
        return map_strings(lambda s: _c_string(s).lower().encode(), value)
    return map_strings(bytes.lower, value)


@op("StringUpper", "input: string -> output: string", infer=same_shape, encoding="")
def string_upper_op(xp, value, *, encoding):
    if _check_encoding(encoding):
        return map_strings(lambda s: _c_string(s).upper().encode(), value)
    return map_strings(bytes.upper, value)


@op("StringStrip", "input: string -> output: string", infer=same_shape)
def string_strip_op(xp, value):
    return map_strings(bytes.strip, value)


@op("Substr", "input: string, pos: T, len: T -> output: string", T=INDEX, unit=_UNIT)
def substr_op(xp, strings, pos, length, *, unit):
    strings, pos, length = dense(strings), np.asarray(pos), np.asarray(length)
    if pos.shape != length.shape:
        invalid(
            f"pos and len should have the same shape, got: {shape_text(pos.shape)} vs. "
            f"{shape_text(length.shape)}"
        )
    try:
        shape = np.broadcast_shapes(strings.shape, pos.shape)
    except ValueError:
        invalid(f"Incompatible shapes: {shape_text(strings.shape)} vs. {shape_text(pos.shape)}")
    if unit == "BYTE" and not pos.ndim:
        pieces = slice_strings(strings, int(pos), int(length) if length >= 0 else sys.maxsize)
        if pieces is not None:
            return unwrap_string(pieces)
    rows = [np.broadcast_to(a, shape).ravel().tolist() for a in (strings, pos, length)]
    slice_function = _slice_bytes if unit == "BYTE" else _slice_characters
    pieces = [slice_function(i, s, start, size) for i, (s, start, size) in enumerate(zip(*rows))]
    return unwrap_string(vector(pieces).reshape(shape))


def _slice_bytes(index: int, string: bytes, start: int, size: int) -> bytes:
    if not -len(string) <= start <= len(string):
        decoded = string.decode("utf-8", "replace")
        invalid(f"pos {start} out of range for string b'{decoded}' at index {index}")
    if start < 0:
        start += len(string)
    return string[start:] if size < 0 else string[start : start + size]


def _slice_characters(index: int, string: bytes, start: int, size: int) -> bytes:
    # Continuation bytes belong to the preceding character, except at the start of the string.
    positions = [i for i, byte in enumerate(string) if not i or not 0x80 <= byte < 0xC0]
    count = len(positions)
    if not -count <= start <= count or (start < 0 and size < 0):  # as in TensorFlow
        invalid(f"pos {start} out of range for string at index {index}")
    if start < 0:
        start += count
    positions.append(len(string))
    return string[positions[start] : positions[min(start + max(size, 0), count)]]


@substr_op.infer
def _(op) -> Dims:
    dims, pos, length = (value._dims for value in op.inputs)
    if pos is None or length is None:
        return None
    with_rank(pos, len(length))
    for m, n in zip(pos, length):
        if m is not None and n is not None and m != n:
            raise InferenceError(f"pos and len shapes must match: {text(pos)} vs. {text(length)}")
    return broadcast_dims(dims, pos)


@public
def string_length(input: TensorLike, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """Returns the length of each string.

    Args:
      input: string tensor of any shape.
      unit: "BYTE", or "UTF8_CHAR" for UTF-8 characters.

    Returns:
      An int32 Tensor of the same shape.

    Example: `tf.strings.length(["abc", ""])` is `[3, 0]`.
    """
    return raw.StringLength(input, unit=unit, name=name)


def string_lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Converts ASCII letters, or with `encoding` "utf-8" all letters, to lower case."""
    return raw.StringLower(input, encoding=encoding, name=name)


def string_upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Converts ASCII letters, or with `encoding` "utf-8" all letters, to upper case."""
    return raw.StringUpper(input, encoding=encoding, name=name)


@public
def string_strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Strips leading and trailing whitespace from strings."""
    return raw.StringStrip(input, name=name)


@public
def substr(
    input: TensorLike, pos: TensorLike, len: TensorLike, name: str | None = None, unit: str = "BYTE"
) -> Tensor:
    """Extracts a substring of each string.

    Args:
      input: string tensor.
      pos: int32 or int64 tensor, the start position, counted from the end if negative. Its shape
        must be broadcastable with the shape of `input`.
      len: tensor with the dtype and shape of `pos`, the maximum substring length.
      unit: the unit of `pos` and `len`: "BYTE" or "UTF8_CHAR".

    Returns:
      A string Tensor of the broadcast shape.

    Raises:
      InvalidArgumentError (when run): if a position is outside its string.

    Example: `tf.strings.substr("hello", 1, 3)` is `"ell"`.
    """
    return raw.Substr(input, pos, len, unit=unit, name=name)


@deprecated(None, "Use `tf.strings.substr` instead of `tf.substr`.")
def substr_deprecated(
    input: TensorLike, pos: TensorLike, len: TensorLike, name: str | None = None, unit: str = "BYTE"
) -> Tensor:
    """Old name of `tf.strings.substr`."""
    return substr(input, pos, len, name=name, unit=unit)
