"""Tensors requested from other tasks: their keys, and the replies that carry them."""

from __future__ import annotations

import functools
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import InvalidArgumentError, OpError
from tfmini._src.cluster.partition import task_of
from tfmini._src.cluster.rendezvous import Item
from tfmini._src.cluster.wire import (
    Buffers,
    fields,
    five,
    malformed,
    read_tensor,
    size_of,
    tensor_buffers,
)


@functools.lru_cache(maxsize=4096)
def sender(key: str) -> tuple[str, int]:
    """Device that sends the tensor of a key, and its incarnation.

    Raises:
      InvalidArgumentError: if it is no key.
    """
    parts = key.split(";")
    try:
        device, life = parts[0], int(parts[1], 16)
        task_of(device)
    except (IndexError, ValueError):
        raise InvalidArgumentError(None, None, f"Invalid  rendezvous key: {key}") from None
    if len(parts) != 5:
        raise InvalidArgumentError(None, None, f"Invalid  rendezvous key: {key}")
    return device, life


def read_replies(reply: Any, count: int) -> list[Item]:
    """Tensors in a reply to `RECEIVE_MANY`."""
    parts = [value for field, kind, value in fields(reply) if field == 1 and kind == 2]
    if len(parts) != count:
        raise malformed()
    return [read_reply(reply, *part) for part in parts]


def read_reply(reply: Any, start: int = 0, end: int | None = None) -> Item:
    """Tensor in a buffered RecvTensorResponse."""
    tensor, is_dead = None, False
    for field, kind, value in fields(reply, start, end):
        if field == 1 and kind == 2:
            tensor = value
        elif field == 2 and kind == 0:
            is_dead = bool(value)
    if tensor is None:
        tensor = (0, 0)
    if is_dead:
        return Item(None, None, True)
    array, dtype = read_tensor(reply, *tensor)
    return Item(array, dtype)


def reply_buffers(item: Item, before: int) -> Buffers:
    """A RecvTensorResponse, to be preceded by `before` bytes."""
    if item.is_dead:
        dead = proto.RecvTensorResponse(is_dead=True)
        dead.tensor.dtype = proto.DT_FLOAT
        dead.tensor.tensor_shape.dim.add(size=0)
        return [dead.SerializeToString()]
    inner = tensor_buffers(item.value, item.dtype, before + 6)
    return [b"\x0a" + five(size_of(inner)), *inner]


def of_task(task: str, error: OpError) -> OpError:
    """Error of another task, with that task's name in the message."""
    kind: Any = type(error)
    if error.message.startswith("From /job:"):
        return error
    return kind(None, None, f"From {task}:\n{error.message}")
