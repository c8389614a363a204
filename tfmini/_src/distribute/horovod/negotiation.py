"""Signatures that processes exchange before an operation, and the check that they match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np


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
    return signature_of(json.loads(text))


def signature_of(fields: Sequence[Any]) -> Signature:
    """Signature of its fields, as JSON has them."""
    name, kind, root, dtype, shape, card, elements = fields
    return Signature(name, kind, root, dtype, _as_tuple(shape), card, elements)


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def shape_of_sum(values: Sequence[Any], shapes: Sequence[tuple[int, ...]]) -> tuple[Any, ...]:
    """Shape in the signature of a sum: that of its tensor, or those of several and of the flat arrays of them."""
    if len(values) == len(shapes) == 1:
        return tuple(shapes[0])
    return tuple(shapes), tuple(each.shape for each in values)


def lengths_of_sum(shape: tuple[Any, ...]) -> list[int]:
    """Lengths of the flat arrays of a sum, of its signature's shape."""
    if shape and isinstance(shape[0], tuple):
        return [length for (length,) in shape[1]]
    return [prod(shape)]


def differing(name: str, signatures: Sequence[Signature]) -> str | None:
    """Description of the mismatch between the arrays of an operation; None if they match."""
    first = signatures[0]
    texts = ", ".join(f"{np.dtype(each.dtype).name}{each.shape}" for each in signatures)
    for what, values in (
        ("operation", [each.kind for each in signatures]),
        ("root rank", [str(each.root) for each in signatures]),
    ):
        if len(set(values)) > 1:
            return f"{name}: {what} differs between ranks: {', '.join(values)}"
    if any(each.dtype != first.dtype for each in signatures):
        return f"{name} differs between ranks: {texts}"
    start = 1 if first.kind in ("gather", "alltoall") else 0
    if any(each.shape[start:] != first.shape[start:] for each in signatures):
        where = " beyond their first axis" if start else ""
        return f"{name}: arrays differ{where}: {texts}"
    return None


_NEED_ALL = {  # kinds of operations that processes which have joined cannot take part in
    "adasum": "Adasum",
    "alltoall": "Alltoall",
    "broadcast": "Broadcast",
    "gather": "Allgather",
}


def not_with_join(kind: str) -> str | None:
    """Message of an operation that needs all processes; None if it does not."""
    if kind not in _NEED_ALL:
        return None
    return f"{_NEED_ALL[kind]} is not supported with Join at this time."
