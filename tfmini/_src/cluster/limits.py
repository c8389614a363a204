"""Limits on requests to a server: TFMINI_LIMITS=message=100M,sessions=50,nodes=200000.

Defaults: messages of 2 GB (protobuf's own limit), 10,000 sessions, and graphs of 2,000,000 nodes including function
bodies.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from tfmini._src.base.errors import ResourceExhaustedError, invalid

MAX_BYTES = (1 << 31) - 1  # protobuf's maximum message size, which TensorFlow's readers share
_GRAPHS = 10  # maximum ratio of registered nodes to graph nodes in a session
_NODES_OF_GRAPH = 100  # nodes with the memory footprint of an empty graph
_SIZE_PATTERN = re.compile(r"(\d+)([KMG]?)")
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30}


@dataclass(frozen=True)
class Limits:
    """Maximum sizes and counts accepted by a server.

    message: bytes per request.
    sessions: number of open sessions.
    nodes: nodes in one session's graph; its registered partitions may total ten times as many per task.
    """

    message: int = MAX_BYTES
    sessions: int = 10_000
    nodes: int = 2_000_000


def current() -> Limits:
    """Returns the limits set by TFMINI_LIMITS; raises InvalidArgumentError if it is malformed or has an unknown key."""
    names = [field.name for field in fields(Limits)]
    values = {}
    for part in filter(None, os.environ.get("TFMINI_LIMITS", "").replace(" ", "").split(",")):
        name, _, text = part.partition("=")
        match = _SIZE_PATTERN.fullmatch(text)
        if name not in names or match is None:
            invalid(
                f"TFMINI_LIMITS accepts {', '.join(names)}, as in message=100M,sessions=50, "
                f"not {part!r}"
            )
        values[name] = int(match[1]) << _UNITS[match[2]]
    limits = Limits(**values)
    return limits if limits.message <= MAX_BYTES else Limits(**{**values, "message": MAX_BYTES})


def check_nodes(graph_def: Any, existing: int = 0) -> None:
    """Raises ResourceExhaustedError if adding a GraphDef to a graph of `existing` nodes exceeds the limit."""
    count = existing + len(graph_def.node)
    count += sum(len(function.node_def) for function in graph_def.library.function)
    max_count = current().nodes
    if count > max_count:
        raise ResourceExhaustedError(
            None,
            None,
            f"A graph of {count} nodes exceeds this server's limit of {max_count} (the `nodes` value in TFMINI_LIMITS)",
        )


def check_registered(graph_def: Any, graphs: Sequence[int]) -> None:
    """Raises ResourceExhaustedError if one more GraphDef exceeds the limit of a session with these node counts."""
    check_nodes(graph_def)
    count = len(graph_def.node) + sum(graphs) + _NODES_OF_GRAPH * (1 + len(graphs))
    max_count = _GRAPHS * current().nodes
    if count > max_count:
        raise ResourceExhaustedError(
            None,
            None,
            f"The session's {1 + len(graphs)} graphs have {count} nodes in total, which exceeds this server's limit of "
            f"{max_count} ({_GRAPHS} times the `nodes` value in TFMINI_LIMITS)",
        )


def check_sessions(count: int) -> None:
    """Raises ResourceExhaustedError if one more session than `count` exceeds the limit."""
    max_count = current().sessions
    if count >= max_count:
        raise ResourceExhaustedError(
            None,
            None,
            f"This server has {count} open sessions; the limit is {max_count} "
            "(the `sessions` value in TFMINI_LIMITS). Close unused sessions",
        )


def check_message(size: int) -> None:
    """Checks that a message is small enough to read; raises ResourceExhaustedError if it is larger than `MAX_BYTES`."""
    if size > MAX_BYTES:
        raise ResourceExhaustedError(
            None,
            None,
            f"A message of {size} bytes exceeds the maximum of {MAX_BYTES} (2 GB); split the "
            "tensor, or read it in the task that produces it",
        )
