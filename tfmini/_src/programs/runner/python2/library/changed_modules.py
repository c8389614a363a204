"""Modules that still exist in Python 3, with a few removed or changed names."""

from __future__ import annotations

import csv
import itertools
import math
import operator
import os
import re
import sys
import tempfile
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tfmini._src.programs.runner.method_shims import split
from tfmini._src.programs.runner.python2 import division
from tfmini._src.programs.runner.python2.byte_text import as_bytes, as_text
from tfmini._src.programs.runner.python2.files import File, NativeStringStream
from tfmini._src.programs.runner.python2.text import text


def _floor(x: Any) -> float:
    return float(math.floor(x))


def _ceil(x: Any) -> float:
    return float(math.ceil(x))


def _text_rows(rows: Iterable[Any]) -> Iterator[str]:
    return (as_text(row) if isinstance(row, bytes) else row for row in rows)


def _reader(rows: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
    return csv.reader(_text_rows(rows), *args, **kwargs)


class _DictReader(csv.DictReader):
    def __init__(self, f: Iterable[Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(_text_rows(f), *args, **kwargs)


class _Writer:
    """A row writer that formats floats by `repr`."""

    def __init__(self, file: Any, *args: Any, **kwargs: Any) -> None:
        self._writer = csv.writer(file, *args, **kwargs)
        self.dialect = self._writer.dialect

    def writerow(self, row: Iterable[Any]) -> Any:
        return self._writer.writerow([as_text(v) if isinstance(v, bytes) else v for v in row])

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        for row in rows:
            self.writerow(row)


def _imap(function: Any, *sequences: Iterable[Any]) -> Iterator[Any]:
    if function is None:
        return zip(*sequences)
    return map(text if function is str else function, *sequences)


def _accept_bytes(name: str) -> Callable:
    """Returns a function of `re` that accepts bytes for text."""
    function: Callable = split if name == "split" else getattr(re, name)

    def call(pattern: Any, *args: Any, **kwargs: Any) -> Any:
        return function(
            pattern, *[as_text(a) if isinstance(a, bytes) else a for a in args], **kwargs
        )

    return call


def _open_descriptor(fd: int, mode: str = "r", bufsize: int = -1) -> NativeStringStream:
    """Implements `os.fdopen`."""
    plain = mode.replace("b", "").replace("t", "")
    return NativeStringStream(
        os.fdopen(fd, f"{plain}b", -1 if bufsize == 1 else bufsize), "b" in mode
    )


def _temporary(function: Callable) -> Callable:
    """Returns a function of `tempfile` whose file accepts text."""

    def call(mode: str = "w+b", bufsize: int = -1, *args: Any, **kwargs: Any) -> NativeStringStream:
        names = dict(zip(("suffix", "prefix", "dir", "delete"), args))
        plain = mode.replace("b", "").replace("t", "")
        return NativeStringStream(function(f"{plain}b", bufsize, **names, **kwargs), "b" in mode)

    return call


def _do_nothing(*args: Any) -> None:
    """Does nothing: the text encoding is fixed."""


_TYPES = {
    "BooleanType": bool,
    "BuiltinFunctionType": types.BuiltinFunctionType,
    "ClassType": type,
    "ComplexType": complex,
    "DictType": dict,
    "DictionaryType": dict,
    "FileType": File,
    "FloatType": float,
    "IntType": int,
    "ListType": list,
    "LongType": int,
    "NoneType": type(None),
    "ObjectType": object,
    "SliceType": slice,
    "StringType": str,
    "StringTypes": (str,),
    "TupleType": tuple,
    "TypeType": type,
    "UnboundMethodType": types.FunctionType,
    "UnicodeType": str,
    "XRangeType": range,
}

MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "csv": (("csv",), {"DictReader": _DictReader, "reader": _reader, "writer": _Writer}),
    "itertools": (
        ("itertools",),
        {
            "ifilter": filter,
            "ifilterfalse": itertools.filterfalse,
            "imap": _imap,
            "izip": zip,
            "izip_longest": itertools.zip_longest,
        },
    ),
    "math": (("math",), {"ceil": _ceil, "floor": _floor}),
    "operator": (
        ("operator",),
        {
            "div": division.div,
            "isCallable": callable,
            "isSequenceType": lambda x: hasattr(x, "__getitem__"),
            "sequenceIncludes": operator.contains,
        },
    ),
    "os": (
        ("os",),
        {
            "fdopen": _open_descriptor,
            "getcwdu": os.getcwd,
            "write": lambda fd, string: os.write(fd, as_bytes(string)),
        },
    ),
    "re": (
        ("re",),
        {
            name: _accept_bytes(name)
            for name in ("findall", "finditer", "match", "search", "split", "sub")
        },
    ),
    "sys": (
        ("sys",),
        {
            "exc_clear": _do_nothing,
            "getdefaultencoding": lambda: "ascii",
            "maxint": sys.maxsize,
            "maxunicode": sys.maxunicode,
            "setdefaultencoding": _do_nothing,
        },
    ),
    "tempfile": (
        ("tempfile",),
        {
            "NamedTemporaryFile": _temporary(tempfile.NamedTemporaryFile),
            "TemporaryFile": _temporary(tempfile.TemporaryFile),
        },
    ),
    "types": (("types",), _TYPES),
}
