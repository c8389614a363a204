"""`json`: bytes are text, in any encoding; indented documents have a space after each comma."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def _with_text(value: Any, encoding: str) -> Any:
    """Returns a copy of a document with decoded bytes; the document itself without bytes."""
    if isinstance(value, bytes):
        return bytes.decode(value, encoding)
    if isinstance(value, dict):
        items = [(_with_text(k, encoding), _with_text(v, encoding)) for k, v in value.items()]
        is_changed = any(k is not a or v is not b for (k, v), (a, b) in zip(items, value.items()))
        return dict(items) if is_changed else value
    if isinstance(value, (list, tuple)):
        parts = [_with_text(part, encoding) for part in value]
        return parts if any(a is not b for a, b in zip(parts, value)) else value
    return value


def _separators(kwargs: dict[str, Any]) -> dict[str, Any]:
    if kwargs.get("indent") is not None and kwargs.get("separators") is None:
        return {**kwargs, "separators": (", ", ": ")}
    return kwargs


class _Encoder(json.JSONEncoder):
    def __init__(self, encoding: str = "utf-8", **kwargs: Any) -> None:
        super().__init__(**_separators(kwargs))
        self.encoding = encoding

    def encode(self, o: Any) -> str:
        return super().encode(_with_text(o, self.encoding))


def _dumps(obj: Any, *args: Any, encoding: str = "utf-8", **kwargs: Any) -> str:
    return json.dumps(_with_text(obj, encoding), *args, **_separators(kwargs))


def _dump(obj: Any, fp: Any, *args: Any, encoding: str = "utf-8", **kwargs: Any) -> None:
    json.dump(_with_text(obj, encoding), fp, *args, **_separators(kwargs))


def _loads(s: Any, encoding: str | None = None, **kwargs: Any) -> Any:
    return json.loads(
        bytes.decode(s, encoding) if encoding and isinstance(s, bytes) else s, **kwargs
    )


def _load(fp: Any, encoding: str | None = None, **kwargs: Any) -> Any:
    return _loads(fp.read(), encoding, **kwargs)


MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "json": (
        ("json",),
        {
            "JSONEncoder": _Encoder,
            "dump": _dump,
            "dumps": _dumps,
            "load": _load,
            "loads": _loads,
        },
    )
}
