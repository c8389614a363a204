"""Glob matching of file names."""

from __future__ import annotations

import functools
import os
import re

from tfmini._src.base.errors import OpError
from tfmini._src.formats.schemes import local_path
from tfmini._src.formats.system_errors import translate_errors

# A character set, which may begin with a bracket: (negated, members); or a single character.
_TOKEN = re.compile(rb"\[(?![!^]\])([!^]?)((?:\\.|[^\\])(?:\\.|[^]\\])*)\]|\\?(.)", re.DOTALL)
_MEMBER = re.compile(rb"\\?(.)(?:-\\?(.))?", re.DOTALL)  # a character or a range


def match_paths(pattern: bytes) -> list[bytes]:
    """Returns the paths that match a pattern: `*`, `?` and bracket sets match within a path component.

    A pattern without a directory before its first wildcard is relative to the current directory, as in TensorFlow.
    """
    if b"/" not in pattern[: _first_wildcard(pattern)]:
        pattern = b"./" + pattern
    wild = _first_wildcard(pattern)
    above = pattern[:wild].rpartition(b"://")[2].rpartition(b"/")[0]
    if pattern.endswith(b"/") or above.endswith(b"/"):
        return []
    if wild == len(pattern):
        directory, slash, _ = pattern.rpartition(b"/")
        with translate_errors(os.fsdecode(directory or slash)):
            os.scandir(local_path(directory or slash)).close()
        return [pattern] if os.path.lexists(local_path(pattern)) else []
    directory, slash, _ = pattern[:wild].rpartition(b"/")
    names = pattern[len(directory) + len(slash) :]
    if slash and not directory:
        directory = slash
    paths = [directory]
    for depth, name in enumerate(names.split(b"/")):
        paths = [path for parent in paths for path in _matching_children(parent, name, not depth)]
    return paths


def _first_wildcard(pattern: bytes) -> int:
    positions = (pattern.find(sign) for sign in (b"*", b"?", b"[", b"\\"))
    return min((position for position in positions if position >= 0), default=len(pattern))


def _matching_children(parent: bytes, name: bytes, must_be_there: bool) -> list[bytes]:
    try:
        with translate_errors(os.fsdecode(parent)):
            entries = os.listdir(local_path(parent) or b".")
    except OpError:
        if must_be_there:
            raise
        return []
    matches = _expression(name).fullmatch
    return [os.path.join(parent, entry) for entry in entries if matches(entry)]


@functools.lru_cache(100)
def _expression(name: bytes) -> re.Pattern[bytes]:
    """Returns the regular expression of a wildcard name, equivalent to the system's `fnmatch`."""
    return re.compile(_TOKEN.sub(_translate, name), re.DOTALL)


def _translate(match: re.Match[bytes]) -> bytes:
    negation, members, plain = match.groups()
    if members is None:
        return {b"*": b".*", b"?": b"."}.get(match[0]) or re.escape(plain)
    ranges = [
        re.escape(first) + b"-" + re.escape(last or first)
        for first, last in _MEMBER.findall(members)
        if first <= (last or first)
    ]
    if not ranges:
        return b"." if negation else b"(?!)"
    return b"[" + b"^" * bool(negation) + b"".join(ranges) + b"]"
