"""`fused_node`: builds the node that replaces a group of nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.compiler.program.program import BlockStep, FusedGroup, Node


def fused_node(
    members: list[Node],
    inputs: tuple[int, ...],
    outputs: tuple[int, ...],
    evaluate: Callable[..., Any],
    steps: Sequence[BlockStep] = (),
) -> Node:
    """Returns a "fused" node that replaces `members`; its payload holds them and `evaluate`."""
    last = members[-1]
    fused = Node("fused", last.origin, inputs, outputs)
    fused.guard, fused.device = last.guard, last.device
    fused.controls = tuple(dict.fromkeys(c for n in members for c in n.controls))
    fused.payload = FusedGroup(tuple(members), evaluate, tuple(steps))
    return fused
