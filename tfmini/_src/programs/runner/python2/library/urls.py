"""`urllib`, `urllib2` and `urlparse`, now submodules of `urllib`."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

from tfmini._src.programs.runner.python2.byte_text import as_text

_URLLIB = ("urllib.request", "urllib.parse", "urllib.error", "urllib")


def _decode_bytes(value: Any) -> Any:
    return as_text(value) if isinstance(value, bytes) else value


def _quoting(function: Callable) -> Callable:
    return lambda s, *safe: function(_decode_bytes(s), *safe)


def _urlencode(query: Any, doseq: bool = False) -> str:
    pairs = query.items() if hasattr(query, "items") else query
    return urllib.parse.urlencode([(_decode_bytes(k), _decode_bytes(v)) for k, v in pairs], doseq)


_QUOTING_FUNCTIONS = {
    name: _quoting(getattr(urllib.parse, name)) for name in ("quote", "quote_plus")
}

MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "urllib": (_URLLIB, {"__name__": "urllib", "urlencode": _urlencode, **_QUOTING_FUNCTIONS}),
    "urllib2": (_URLLIB[:3], {"__name__": "urllib2", **_QUOTING_FUNCTIONS}),
    "urlparse": (("urllib.parse",), {}),
}
