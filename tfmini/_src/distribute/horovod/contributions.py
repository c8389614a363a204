"""Contributions of ranks to an operation, merged along the tree: signatures and small arrays."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from tfmini._src.cluster.wire import malformed_message, read_tensor, tensor_buffers, total_size
from tfmini._src.distribute.horovod.negotiation import Signature, parse_signature

ALL_RANKS = -1  # in place of a receiving rank


class Contributions:
    """Signatures and arrays of several ranks.

    Args:
      ranks: ranks by signature.
      parts: arrays by sending and receiving rank; for a sum, by index.
      start_times: start time by rank, in milliseconds of its clock; only while a timeline is written.
    """

    def __init__(
        self,
        ranks: dict[Signature, list[int]] | None = None,
        parts: dict[tuple[int, int], np.ndarray] | None = None,
        start_times: dict[int, int] | None = None,
    ):
        self.ranks = ranks or {}
        self.parts = parts or {}
        self.start_times = start_times or {}

    @property
    def signatures(self) -> dict[int, Signature]:
        """Signature of each participating rank, in rank order."""
        pairs = ((rank, signature) for signature, ranks in self.ranks.items() for rank in ranks)
        return dict(sorted(pairs))

    def encode(self, to: Collection[int] | None = None) -> np.ndarray:
        """Encodes the contributions, for `decode`.

        to: receiving ranks; arrays for other ranks are omitted.
        """
        parts = {
            key: part
            for key, part in self.parts.items()
            if to is None or key[1] == ALL_RANKS or key[1] in to
        }
        buffers: list[Any] = []
        sizes = []
        for part in parts.values():
            encoded = tensor_buffers(part)
            sizes.append(total_size(encoded))
            buffers += encoded
        ranks = [[*signature, members] for signature, members in self.ranks.items()]
        keys = [[*key, size] for key, size in zip(parts, sizes)]
        head = json.dumps([ranks, keys, list(self.start_times.items())]).encode()
        return np.frombuffer(b"".join([len(head).to_bytes(8, "little"), head, *buffers]), np.uint8)


def decode(message: np.ndarray) -> Contributions:
    """Decodes another rank's contributions; raises InvalidArgumentError if the message is malformed."""
    start = 8 + int.from_bytes(message[:8].tobytes(), "little")
    try:
        ranks, keys, start_times = json.loads(message[8:start].tobytes())
        parts = {}
        for source, target, size in keys:
            parts[source, target] = read_tensor(message.data, start, start + size)[0]
            start += size
        ranks_by_signature = {parse_signature(fields[:-1]): fields[-1] for fields in ranks}
        return Contributions(ranks_by_signature, parts, dict(start_times))
    except (ValueError, TypeError):
        raise malformed_message() from None


def merge(parts: Iterable[Contributions]) -> Contributions:
    """Merges several ranks' contributions, in order; arrays of a sum are added if all match."""
    result = Contributions()
    for contribution in parts:
        for signature, ranks in contribution.ranks.items():
            result.ranks.setdefault(signature, []).extend(ranks)
        result.start_times.update(contribution.start_times)
        if len(result.ranks) > 1 and any(other.kind == "sum" for other in result.ranks):
            result.parts.clear()
            continue
        for key, part in contribution.parts.items():
            if key in result.parts:
                total = np.empty(part.shape, part.dtype)
                part = np.add(result.parts[key], part, out=total)
            result.parts[key] = part
    return result
