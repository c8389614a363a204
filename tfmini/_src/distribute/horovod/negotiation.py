"""Signatures that processes exchange before an operation, and the check that they match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple


class Signature(NamedTuple):
    """Description of an operation that a process sends to the others.

    shape: of its array, or those of its arrays.
    card: the card on which they lie; "" in host memory.
    elements: their number.
    """

    name: str
    kind: str
    root: int
    dtype: str
    shape: tuple[Any, ...]
    card: str = ""
    elements: int = 0

    def encoded(self) -> bytes:
        """The signature as bytes, for `decoded`."""
        return json.dumps(self).encode()


def decoded(text: bytes) -> Signature:
    """Signature decoded from another process's bytes."""
    name, kind, root, dtype, shape, card, elements = json.loads(text)
    return Signature(name, kind, root, dtype, _as_tuple(shape), card, elements)


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def differing(name: str, signatures: Sequence[Signature]) -> str | None:
    """Description of the mismatch between the arrays of an operation; None if they match."""
    first = signatures[0]
    texts = ", ".join(f"{each.dtype.lstrip('<|=')}{each.shape}" for each in signatures)
    if any(each[1:4] != first[1:4] for each in signatures):
        return f"{name}: not the same everywhere: {texts}"
    start = 1 if first.kind in ("gather", "alltoall") else 0
    if any(each.shape[start:] != first.shape[start:] for each in signatures):
        where = " behind their first axis" if start else ""
        return f"{name}: arrays differ{where}: {texts}"
    return None
