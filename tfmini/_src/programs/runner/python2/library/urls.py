"""`urllib`, `urllib2` and `urlparse`, now submodules of `urllib`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_URLLIB = ("urllib.request", "urllib.parse", "urllib.error", "urllib")

MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "urllib": (_URLLIB, {"__name__": "urllib"}),
    "urllib2": (_URLLIB[:3], {"__name__": "urllib2"}),
    "urlparse": (("urllib.parse",), {}),
}
