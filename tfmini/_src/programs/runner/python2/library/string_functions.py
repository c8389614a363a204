"""`string`: functions that have become methods, letters of the alphabet."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tfmini._src.programs.runner.python2.methods import method

_METHODS = (
    *("capitalize", "center", "count", "expandtabs", "find", "index", "ljust", "lower", "lstrip"),
    *("replace", "rfind", "rindex", "rjust", "rsplit", "rstrip", "split", "strip", "swapcase"),
    *("translate", "upper", "zfill"),
)


def _function(name: str) -> Callable:
    return lambda s, *args: method(s, name, *args)


def _join(words: Iterable[Any], sep: str = " ") -> str:
    return method(sep, "join", words)


def _maketrans(fromstr: str, tostr: str) -> str:
    """Returns a translation table of 256 characters."""
    if len(fromstr) != len(tostr):
        raise ValueError("maketrans arguments must have same length")
    table = list(map(chr, range(256)))
    for old, new in zip(fromstr, tostr):
        table[ord(old)] = new
    return "".join(table)


MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "string": (
        ("string",),
        {
            **{name: _function(name) for name in _METHODS},
            "atof": float,
            "atoi": int,
            "atol": int,
            "join": _join,
            "joinfields": _join,
            "letters": string.ascii_letters,
            "lowercase": string.ascii_lowercase,
            "maketrans": _maketrans,
            "splitfields": _function("split"),
            "uppercase": string.ascii_uppercase,
        },
    )
}
