"""Bytes that mix with text, like Python 2's `str`."""

from __future__ import annotations

import codecs
from typing import Any, SupportsIndex

import numpy as np

_ERRORS = "surrogateescape"  # invalid UTF-8 survives a round trip from bytes to text


def as_text(value: bytes) -> str:
    """Decodes any bytes, lossless even if they are not UTF-8."""
    return bytes.decode(value, "utf-8", _ERRORS)


def as_bytes(value: Any) -> Any:
    """Encodes text as bytes; returns other objects unchanged."""
    return ByteText(value.encode("utf-8", _ERRORS)) if isinstance(value, str) else value


def as_native(value: Any) -> Any:
    """Returns the text for UTF-8 bytes, `ByteText` for other bytes; other objects unchanged."""
    if not isinstance(value, bytes):
        return value
    try:
        return bytes.decode(value, "utf-8")
    except UnicodeDecodeError:
        return ByteText(value)


def as_byte_text(value: Any) -> Any:
    """Returns `ByteText` for bytes; other objects unchanged."""
    return ByteText(value) if isinstance(value, bytes) else value


def _as_bytes_argument(value: Any) -> Any:
    """Converts an argument of a bytes method."""
    if isinstance(value, tuple):
        return tuple(map(as_bytes, value))
    return as_bytes(value)


def _as_byte_text(value: Any) -> Any:
    if type(value) is bytes:
        return ByteText(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(_as_byte_text, value))
    return value


def add(a: Any, b: Any) -> Any:
    """Implements `a + b`, if one operand is text."""
    if type(a) is bytes:
        return ByteText(a) + b
    return a + ByteText(b) if type(b) is bytes else a + b


def equal(a: Any, b: Any) -> Any:
    """Implements `a == b`, if one operand is text."""
    if type(a) is bytes:
        return ByteText(a) == b
    return ByteText(b) == a if type(b) is bytes else a == b


def unequal(a: Any, b: Any) -> Any:
    """Implements `a != b`, if one operand is text."""
    if type(a) is bytes or type(b) is bytes:
        return not equal(a, b)
    return a != b


def contains(a: Any, b: Any) -> bool:
    """Implements `a in b`, if one operand is text."""
    if type(b) is bytes:
        return a in ByteText(b)
    return (as_text(a) if isinstance(a, bytes) and isinstance(b, str) else a) in b


class ByteText(np.bytes_):  # type: ignore[misc]  # NumPy rejects other subclasses of bytes
    """Bytes whose methods accept text, and which equal the text they encode."""

    def __str__(self) -> str:
        return as_text(self)

    def __bool__(self) -> bool:  # for numpy, zero bytes are false
        return len(self) > 0

    def __copy__(self) -> ByteText:
        return self

    def __deepcopy__(self, memo: Any) -> ByteText:
        return self

    # Returns bytes, which are `str` in Python 2.
    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return codecs.encode, (bytes.decode(self, "latin-1"), "latin-1")

    def __repr__(self) -> str:
        return bytes.__repr__(self)[1:]

    def __format__(self, spec: str) -> str:
        return format(as_text(self), spec)

    def __eq__(self, other: object) -> bool:
        return bytes.__eq__(self, as_bytes(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return bytes.__lt__(self, as_bytes(other))

    def __le__(self, other: Any) -> bool:
        return bytes.__le__(self, as_bytes(other))

    def __gt__(self, other: Any) -> bool:
        return bytes.__gt__(self, as_bytes(other))

    def __ge__(self, other: Any) -> bool:
        return bytes.__ge__(self, as_bytes(other))

    def __hash__(self) -> int:
        return hash(as_text(self))

    def __contains__(self, part: Any) -> bool:
        return bytes.__contains__(self, as_bytes(part))

    def __add__(self, other: Any) -> Any:
        return ByteText(bytes.__add__(self, as_bytes(other)))

    def __radd__(self, other: Any) -> Any:
        return ByteText(as_bytes(other) + bytes(self))

    def __mul__(self, count: SupportsIndex) -> ByteText:
        return ByteText(bytes.__mul__(self, count))

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> Any:
        return as_text(self) % values

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return ByteText(bytes.__getitem__(self, index))
        position = index.__index__()
        letter = self[position : position + 1 or None]
        if not letter:
            raise IndexError("string index out of range")
        return letter

    def __iter__(self) -> Any:
        return (ByteText(bytes((byte,))) for byte in bytes.__iter__(self))

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return bytes.decode(self, encoding, errors)

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> Any:
        return self

    def join(self, parts: Any) -> Any:
        return ByteText(bytes.join(self, map(as_bytes, parts)))

    def format(self, *args: Any, **kwargs: Any) -> str:
        return as_text(self).format(*args, **kwargs)


def _method(name: str) -> Any:
    function = getattr(bytes, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _as_byte_text(function(self, *map(_as_bytes_argument, args), **kwargs))

    method.__name__ = name
    return method


for _name in (
    *("capitalize", "center", "count", "endswith", "expandtabs", "find", "index", "ljust"),
    *("lower", "lstrip", "partition", "replace", "rfind", "rindex", "rjust", "rpartition"),
    *("rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title"),
    *("translate", "upper", "zfill"),
):
    setattr(ByteText, _name, _method(_name))
