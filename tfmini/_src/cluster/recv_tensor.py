"""Tensors received from other tasks: their keys, and the replies that carry them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.errors import InvalidArgumentError, OpError, invalid
from tfmini._src.cluster.partition import device_task
from tfmini._src.cluster.rendezvous import Item
from tfmini._src.cluster.wire import (
    Buffers,
    Content,
    bare,
    fields,
    locate_content,
    malformed_message,
    nested_head,
    read_tensor,
    tagged_field,
    tensor_buffers,
    total_size,
)

_MAX_LAYOUTS = 4096
MAX_KNOWN = 1 << 16  # maximum bytes of cached keys, because peers may send arbitrary keys

# The size of a reply; the encoded head of each tensor, with its position; and the tensors' contents.
Layout: TypeAlias = tuple[int, list[tuple[slice, bytes, Content]]]
_NEW_LAYOUT: Layout = (-1, [])
_SEEN_LAYOUT: Layout = (-1, [])  # no layout yet; created from the next reply


@functools.lru_cache(maxsize=4096)
def sender(key: str) -> tuple[str, int]:
    """Returns a key's sending device and its incarnation; raises InvalidArgumentError if it is not a key."""
    parts = key.split(";")
    try:
        device, incarnation = parts[0], int(parts[1], 16)
        device_task(device)
    except (IndexError, ValueError):
        raise InvalidArgumentError(None, None, f"Invalid  rendezvous key: {key}") from None
    if len(parts) != 5:
        invalid(f"Invalid  rendezvous key: {key}")
    return device, incarnation


def senders(keys: Sequence[str]) -> Sequence[tuple[str, int, str]]:
    """Returns keys' sending devices, incarnations and first keys; raises InvalidArgumentError for a malformed key."""
    first: dict[tuple[str, int], str] = {}
    for key in keys:
        first.setdefault(sender(key), key)
    return [(*sender, key) for sender, key in first.items()]


@functools.lru_cache(maxsize=256)
def keys_to_bytes(keys: tuple[str, ...]) -> bytes:
    """Encodes keys for a request of `RECEIVE_MANY`."""
    return tagged_field(2, b"".join(tagged_field(1, key.encode()) for key in keys))


def bytes_to_keys(data: bytes) -> tuple[str, ...]:
    """Decodes keys written by `keys_to_bytes`; raises InvalidArgumentError if there are none, or duplicates."""
    return _split_keys(data) if len(data) <= MAX_KNOWN else _split_keys.__wrapped__(data)


@functools.lru_cache(maxsize=256)
def _split_keys(data: bytes) -> tuple[str, ...]:
    positions = [value for field, wire_type, value in fields(data) if field == 1 and wire_type == 2]
    keys = tuple(data[start:end].decode(errors="replace") for start, end in positions)
    if not keys:
        invalid("The tensor request has no keys")
    if len({*keys}) < len(keys):
        invalid(f"Duplicate key among {', '.join(keys)}")
    return keys


class RepliesRead:
    """Cached layouts of replies to `RECEIVE_MANY`, which avoid reparsing a reply like the last one for its tensors."""

    def __init__(self) -> None:
        self._layouts: dict[tuple[str, ...], Layout] = {}

    def read(self, reply: Any, keys: tuple[str, ...]) -> list[Item]:
        """Returns the tensors of `keys` in a reply."""
        size, rows = layout = self._layouts.get(keys, _NEW_LAYOUT)
        if size == len(reply) and not [
            position for position, head, _ in rows if reply[position] != head
        ]:
            return [Item(bare(content.array(reply)), content.dtype) for _, _, content in rows]
        parts = [
            value for field, wire_type, value in fields(reply) if field == 1 and wire_type == 2
        ]
        if len(parts) != len(keys):
            raise malformed_message()
        items = [read_reply(reply, *part) for part in parts]
        if len(self._layouts) >= _MAX_LAYOUTS:
            self._layouts.clear()
        self._layouts[keys] = _SEEN_LAYOUT if layout is _NEW_LAYOUT else _layout(reply, parts)
        return items


def _layout(reply: Any, parts: list[tuple[int, int]]) -> Layout:
    """Returns the layout of a reply; `_SEEN_LAYOUT` unless its tensors fill it in this order."""
    rows, end = [], 0
    for start, last in parts:
        tensor_fields = list(fields(reply, start, last))
        is_tensor = len(tensor_fields) == 1 and tensor_fields[0][:2] == (1, 2)
        content = locate_content(reply, *tensor_fields[0][2]) if is_tensor else None
        if content is None:
            return _SEEN_LAYOUT
        rows.append((slice(end, content.first), bytes(reply[end : content.first]), content))
        end = content.first + content.elements * np.dtype(content.dtype.numpy).itemsize
        if end != last:
            return _SEEN_LAYOUT
    return (len(reply), rows) if end == len(reply) else _SEEN_LAYOUT


def read_reply(reply: Any, start: int = 0, end: int | None = None) -> Item:
    """Decodes the tensor of a buffered RecvTensorResponse."""
    tensor, is_dead = None, False
    for field, wire_type, value in fields(reply, start, end):
        if field == 1 and wire_type == 2:
            tensor = value
        elif field == 2 and wire_type == 0:
            is_dead = bool(value)
    if tensor is None:
        tensor = (0, 0)
    if is_dead:
        return Item(None, None, True)
    array, dtype = read_tensor(reply, *tensor)
    return Item(bare(array), dtype)


def reply_buffers(item: Item, start_offset: int, layers: int = 1) -> Buffers:
    """Encodes a RecvTensorResponse to follow `start_offset` bytes; with two layers, as the first field of a message."""
    if item.is_dead:
        dead_response = proto.RecvTensorResponse(is_dead=True)
        dead_response.tensor.dtype = proto.DT_FLOAT
        dead_response.tensor.tensor_shape.dim.add(size=0)
        return [nested_head(dead_response.SerializeToString(), 0, layers - 1)]
    return tensor_buffers(item.value, item.dtype, start_offset, layers)


def replies_buffers(items: Sequence[Item]) -> tuple[Buffers, int]:
    """Encodes a reply to `RECEIVE_MANY`; returns its buffers and size."""
    buffers: Buffers = []
    size = 0
    for item in items:
        encoded = reply_buffers(item, size, layers=2)
        buffers += encoded
        size += total_size(encoded)
    return buffers, size


def prefix_with_task(task: str, error: OpError) -> OpError:
    """Prefixes another task's error with that task's name."""
    error_class: Any = type(error)
    if error.message.startswith("From /job:"):
        return error
    return error_class(None, None, f"From {task}:\n{error.message}")
