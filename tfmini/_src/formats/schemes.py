"""Paths with a scheme: `file:///tmp/model` is a local path; TensorFlow's other schemes are not supported."""

from __future__ import annotations

import os
from typing import TypeVar

from tfmini._src.base import errors

_Path = TypeVar("_Path", str, bytes, str | bytes)


def strip_scheme(name: str) -> str:
    """Returns the local path for `name`: without scheme, normalized."""
    scheme, mark, rest = name.partition("://")
    letters = scheme.replace(".", "0")
    if mark and len(scheme) > 1 and scheme[0].isalpha() and letters.isascii() and letters.isalnum():
        if scheme != "file":
            raise errors.UnimplementedError(
                None, None, f"File system scheme '{scheme}' not implemented (file: '{name}')"
            )
        name = "/" + rest.partition("/")[2]  # without the host name
    if not name:
        return name
    clean_path = os.path.normpath(name)
    return clean_path[1:] if clean_path.startswith("//") else clean_path


def c_string(text: str) -> str:
    """Returns the text up to its first NUL, where system calls stop reading."""
    return text.partition("\0")[0]


def local_path(path: _Path) -> _Path:
    """Strips the scheme from a path, if any."""
    name = os.fsdecode(path)
    result = c_string(strip_scheme(name) if "://" in name else name)
    if result == name:
        return path
    return os.fsencode(result) if isinstance(path, bytes) else result
