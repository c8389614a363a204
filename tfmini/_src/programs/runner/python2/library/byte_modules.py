"""Byte-oriented modules that accept text: hashes, encodings, archives, packed numbers."""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from tfmini._src.programs.runner.python2.byte_text import ByteText, as_bytes
from tfmini._src.programs.runner.python2.files import NativeStringStream


def _accept_text(function: Callable) -> Callable:
    """Wraps the function to accept text and return bytes that mix with text."""

    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*map(as_bytes, args), **kwargs)
        return ByteText(result) if isinstance(result, bytes) else result

    call.__name__ = function.__name__
    return call


class _Hash:
    """A hash that accepts text."""

    def __init__(self, hash_object: Any) -> None:
        self._own = hash_object

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def update(self, data: Any) -> None:
        self._own.update(as_bytes(data))

    def digest(self) -> ByteText:
        return ByteText(self._own.digest())

    def copy(self) -> _Hash:
        return _Hash(self._own.copy())


class _GzipFile(NativeStringStream):
    """A compressed file that accepts text."""

    def __init__(
        self,
        filename: Any = None,
        mode: str | None = None,
        compresslevel: int = 9,
        fileobj: Any = None,
        mtime: float | None = None,
    ) -> None:
        raw = getattr(fileobj, "buffer", fileobj)
        super().__init__(gzip.GzipFile(filename, mode, compresslevel, raw, mtime), True)


def _hash(name: str) -> Callable:
    return lambda string=b"": _Hash(hashlib.new(name, as_bytes(string)))


def _new(name: str, string: Any = b"") -> _Hash:
    return _Hash(hashlib.new(name, as_bytes(string)))


def _pack(format: str, *values: Any) -> ByteText:
    return ByteText(struct.pack(format, *map(as_bytes, values)))


def _unpack(format: str, data: Any) -> tuple:
    return tuple(map(_to_byte_text, struct.unpack(format, as_bytes(data))))


def _to_byte_text(value: Any) -> Any:
    return ByteText(value) if isinstance(value, bytes) else value


_HASHES = {name: _hash(name) for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")}

MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "base64": (
        ("base64",),
        {
            **{
                name: _accept_text(getattr(base64, name))
                for name in (
                    *("b16decode", "b16encode", "b32decode", "b32encode", "b64decode"),
                    *("b64encode", "urlsafe_b64decode", "urlsafe_b64encode"),
                )
            },
            "decodestring": _accept_text(base64.decodebytes),
            "encodestring": _accept_text(base64.encodebytes),
        },
    ),
    "binascii": (
        ("binascii",),
        {name: _accept_text(getattr(binascii, name)) for name in ("crc32", "hexlify", "unhexlify")},
    ),
    "gzip": (("gzip",), {"GzipFile": _GzipFile, "open": _GzipFile}),
    "hashlib": (("hashlib",), {**_HASHES, "new": _new}),
    "md5": ((), {"md5": _HASHES["md5"], "new": _HASHES["md5"]}),
    "sha": ((), {"new": _HASHES["sha1"], "sha": _HASHES["sha1"]}),
    "struct": (("struct",), {"pack": _pack, "unpack": _unpack}),
    "zlib": (
        ("zlib",),
        {name: _accept_text(getattr(zlib, name)) for name in ("compress", "crc32", "decompress")},
    ),
}
