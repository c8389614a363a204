"""Signatures exchanged by processes before an operation, and their comparison."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np


class Signature(NamedTuple):
    """Description of an operation, as sent to the other processes.

    shape: the shape of its array, or of each array.
    physical: the GPU with the arrays; "" for host memory.
    elements: total number of elements.
    """

    name: str
    kind: str
    root: int
    dtype: str
    shape: tuple[Any, ...]
    physical: str = ""
    elements: int = 0

    def encode(self) -> bytes:
        """Encodes the signature, for `decode`."""
        return json.dumps(self).encode()


def decode(text: bytes) -> Signature:
    """Decodes another process's signature."""
    return parse_signature(json.loads(text))


def parse_signature(fields: Sequence[Any]) -> Signature:
    """Creates a signature from its fields, as parsed from JSON."""
    name, kind, root, dtype, shape, physical, elements = fields
    return Signature(name, kind, root, dtype, _as_tuple(shape), physical, elements)


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def sum_shape(values: Sequence[Any], shapes: Sequence[tuple[int, ...]]) -> tuple[Any, ...]:
    """Returns the shape entry of a sum's signature: one tensor's shape, or the shapes of tensors and flat arrays."""
    if len(values) == len(shapes) == 1:
        return tuple(shapes[0])
    return tuple(shapes), tuple(value.shape for value in values)


def sum_lengths(shape: tuple[Any, ...]) -> list[int]:
    """Returns the lengths of a sum's flat arrays, from its signature's shape."""
    if shape and isinstance(shape[0], tuple):
        return [length for (length,) in shape[1]]
    return [prod(shape)]


def differing(name: str, signatures: Sequence[Signature]) -> str | None:
    """Describes the mismatch between an operation's arrays; returns None if they match."""
    first = signatures[0]
    texts = ", ".join(
        f"{np.dtype(signature.dtype).name}{signature.shape}" for signature in signatures
    )
    for field, values in (
        ("operation", [signature.kind for signature in signatures]),
        ("root rank", [str(signature.root) for signature in signatures]),
    ):
        if len(set(values)) > 1:
            return f"{name}: {field} differs between ranks: {', '.join(values)}"
    if any(signature.dtype != first.dtype for signature in signatures):
        return f"{name} differs between ranks: {texts}"
    start = 1 if first.kind in ("gather", "alltoall") else 0
    if any(signature.shape[start:] != first.shape[start:] for signature in signatures):
        where = " beyond their first axis" if start else ""
        return f"{name}: arrays differ{where}: {texts}"
    return None


_COLLECTIVE_KINDS = {  # kinds of operations in which joined processes cannot take part
    "adasum": "Adasum",
    "alltoall": "Alltoall",
    "broadcast": "Broadcast",
    "gather": "Allgather",
}


def join_obstacle(kind: str) -> str | None:
    """Returns the message for an operation that requires all processes; None for other operations."""
    if kind not in _COLLECTIVE_KINDS:
        return None
    return f"{_COLLECTIVE_KINDS[kind]} is not supported with Join at this time."
