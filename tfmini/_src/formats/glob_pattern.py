"""The names of files that a pattern with wildcards matches."""

from __future__ import annotations

import fnmatch
import os

from tfmini._src.base.errors import OpError
from tfmini._src.formats.schemes import local_path
from tfmini._src.formats.system_errors import translated


def matching(pattern: bytes) -> list[bytes]:
    """The paths that a pattern matches: `*` and `?` within a name, sets of characters in brackets.

    A pattern with no folder in front of its first wildcard gets that of the process, `./`, as in TensorFlow.
    """
    if b"/" not in pattern[: _first_wildcard(pattern)]:
        pattern = b"./" + pattern
    wild = _first_wildcard(pattern)
    if pattern.endswith(b"/"):
        return []
    if wild == len(pattern):
        return [pattern] if os.path.lexists(pattern) else []
    folder, slash, _ = pattern[:wild].rpartition(b"/")
    names = pattern[len(folder) + len(slash) :]
    if slash and not folder:
        folder = slash
    found = [folder]
    for number, name in enumerate(names.split(b"/")):
        found = [path for parent in found for path in _children(parent, name, not number)]
    return found


def _first_wildcard(pattern: bytes) -> int:
    found = (pattern.find(sign) for sign in (b"*", b"?", b"[", b"\\"))
    return min((place for place in found if place >= 0), default=len(pattern))


def _children(parent: bytes, name: bytes, must_be_there: bool) -> list[bytes]:
    try:
        with translated(os.fsdecode(parent)):
            entries = os.listdir(local_path(parent) or b".")
    except OpError:
        if must_be_there:
            raise
        return []
    return [os.path.join(parent, entry) for entry in entries if fnmatch.fnmatchcase(entry, name)]
