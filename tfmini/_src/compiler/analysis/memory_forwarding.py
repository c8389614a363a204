"""Memory forwarding: slots that may share memory with others, as declared in `graph/op_traits/forwarding.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tfmini._src.compiler.program.program import Node, Slot


def sources(node: Node) -> list[list[int]]:
    """Returns, for each output, the input slots whose memory it may share."""
    forwarding = node.opdef.forwarding
    if forwarding is None:
        return [[] for _ in node.outputs]
    inputs = _slots_by_input(node)
    forwarded: list[list[int]] = []
    for arg in node.opdef.outputs:
        forwardable = [s for name in forwarding.sources.get(arg.name, ()) for s in inputs[name]]
        count = arg.count(node.attrs)
        one_each = arg.type_list_attr and len(forwardable) == count  # a list forwards item by item
        forwarded += [[s] for s in forwardable] if one_each else [forwardable] * count
    return forwarded


def shares_memory(node: Node, slots: Sequence[Slot], producers: Mapping[int, Node]) -> bool | None:
    """Whether a forwarding node shares memory; None if this is known only at run time."""
    forwarding = node.opdef.forwarding
    assert forwarding is not None
    if forwarding.when is None:
        return True
    if forwarding.late:
        return None
    inputs = _slots_by_input(node)
    arguments: dict[str, Any] = {}
    for name in forwarding.arguments:
        if name not in inputs:
            arguments[name] = node.attrs[name]
            continue
        slot = inputs[name][0]
        is_static = name in node.opdef.static_inputs
        value = (
            _constant_array(producers.get(slot)) if is_static else _placeholder_array(slots[slot])
        )
        if value is None:
            return None
        arguments[name] = value
    return bool(forwarding.when(**arguments))


def _slots_by_input(node: Node) -> dict[str, tuple[int, ...]]:
    """Maps input names of the signature to their slots."""
    inputs = {}
    start = 0
    for arg in node.opdef.inputs:
        end = start + arg.count(node.attrs)
        inputs[arg.name] = node.inputs[start:end]
        start = end
    return inputs


def _constant_array(producer: Node | None) -> np.ndarray | None:
    return (
        producer.attrs["value"].array
        if producer is not None and producer.opdef.name == "Const"
        else None
    )


def _placeholder_array(slot: Slot) -> np.ndarray | None:
    """Returns a placeholder array of a slot's static shape and dtype; None if the shape is not fully known."""
    dims = [size for size in slot.dims or () if size is not None]
    if slot.dims is None or len(dims) < len(slot.dims):
        return None
    return np.broadcast_to(np.empty((), slot.dtype.base_dtype.numpy), dims)
