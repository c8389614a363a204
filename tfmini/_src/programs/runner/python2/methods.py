"""Methods that were removed, now return views, or accept text for bytes objects."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, ItemsView, KeysView, ValuesView
from typing import Any

import numpy as np

from tfmini._src.programs.runner.python2 import comparisons, division
from tfmini._src.programs.runner.python2.byte_text import ByteText, as_native, as_text
from tfmini._src.programs.runner.python2.text import format_text

_VIEWS = (KeysView, ValuesView, ItemsView)
_NO_TEXT = ("base64", "bz2", "hex", "rot13", "zip", "string_escape", "string-escape")


def _has_key(owner: Any, key: Any) -> bool:
    return key in owner


def _list(name: str) -> Callable:
    def list_view(owner: Any) -> Any:
        result = getattr(owner, name)()
        return list(result) if isinstance(result, _VIEWS) else result

    return list_view


def _iterator(name: str) -> Callable:
    return lambda owner: iter(getattr(owner, name)())


def _view(name: str) -> Callable:
    return lambda owner: getattr(owner, name)()


def _decode(owner: str, encoding: str = "utf-8", errors: str = "strict") -> Any:
    if encoding in _NO_TEXT:
        return _recode(owner, encoding, codecs.decode)
    return owner.encode("utf-8", "surrogateescape").decode(encoding, errors)


def _encode(owner: str, encoding: str = "utf-8", errors: str = "strict") -> Any:
    if encoding in _NO_TEXT:
        return _recode(owner, encoding, codecs.encode)
    return ByteText(owner.encode(encoding, errors))


def _recode(owner: str, encoding: str, convert: Any) -> Any:
    if encoding == "rot13":
        return convert(owner, encoding)
    if encoding.startswith("string"):
        recoded = convert(owner, "unicode_escape")
        return as_text(recoded) if isinstance(recoded, bytes) else recoded
    return as_native(convert(owner.encode("utf-8", "surrogateescape"), encoding))


def _join(owner: str, parts: Any) -> str:
    return owner.join([as_text(part) if isinstance(part, bytes) else part for part in parts])


def _translate(owner: str, table: Any, deletechars: str | None = None) -> str:
    if deletechars is not None:
        owner = "".join([c for c in owner if c not in deletechars])
    return owner if table is None else owner.translate(table)


# Methods that objects lost, or that returned lists: by name and argument count, None for any.
_MAPPING_METHODS: dict[str, tuple[int, Callable]] = {
    "has_key": (1, _has_key),
    "items": (0, _list("items")),
    "iteritems": (0, _iterator("items")),
    "iterkeys": (0, _iterator("keys")),
    "itervalues": (0, _iterator("values")),
    "keys": (0, _list("keys")),
    "values": (0, _list("values")),
    "viewitems": (0, _view("items")),
    "viewkeys": (0, _view("keys")),
    "viewvalues": (0, _view("values")),
}
_LISTS = ("items", "keys", "values")

_TEXT_METHODS: dict[str, Callable] = {
    "decode": _decode,
    "encode": _encode,
    "format": format_text,
    "join": _join,
    "translate": _translate,
}

# Bytes methods with text arguments.
_BYTES_METHODS = (
    *("count", "decode", "encode", "endswith", "find", "format", "index", "join", "lstrip"),
    *("partition", "replace", "rfind", "rsplit", "rstrip", "split", "startswith", "strip"),
)

_PATTERN_METHODS = ("findall", "finditer", "match", "search", "sub", "subn")

NAMES = frozenset(
    (
        *_MAPPING_METHODS,
        *_PATTERN_METHODS,
        *_TEXT_METHODS,
        *_BYTES_METHODS,
        "divide",
        "next",
        "sort",
        "xreadlines",
    )
)


def method(owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Implements `owner.name(*args, **kwargs)`."""
    cls = type(owner)
    if cls is str:
        if name in _TEXT_METHODS:
            return _TEXT_METHODS[name](owner, *args, **kwargs)
        if any(type(arg) is bytes or type(arg) is ByteText for arg in args):
            args = tuple(as_text(arg) if isinstance(arg, bytes) else arg for arg in args)
    elif cls is bytes:
        owner = ByteText(owner)
    elif cls is re.Pattern and isinstance(owner.pattern, str):
        args = tuple(as_text(arg) if isinstance(arg, bytes) else arg for arg in args)
    elif name in _MAPPING_METHODS and len(args) + len(kwargs) == _MAPPING_METHODS[name][0]:
        if name in _LISTS or not hasattr(cls if isinstance(owner, dict) else owner, name):
            return _MAPPING_METHODS[name][1](owner, *args, **kwargs)
    elif name == "sort" and isinstance(owner, list):
        comparisons.sort(owner, *args, **kwargs)
        return None
    elif name == "next" and not args and not hasattr(owner, name):
        return next(owner)
    elif name == "divide" and owner is np and len(args) == 2 and not kwargs:
        return division.div(*map(np.asarray, args))
    elif name == "xreadlines" and not hasattr(owner, name):
        return iter(owner)
    return getattr(owner, name)(*args, **kwargs)
