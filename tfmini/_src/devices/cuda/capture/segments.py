"""Capturable segments of a program, and the variables that its nodes read and write."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node, Program


class UncapturableReason(Enum):
    """Reasons why a node belongs to no segment."""

    HOST = "uses memory other than one GPU's"
    COPY = "copies a value that may change between runs"
    OPERAND = "reads on the host a value that may change between runs"
    RESULT = "passes a value to the host"
    CELL = "variable unknown until run time"
    CHOICE = "depends on a host predicate"
    LOOP = "iteration count unknown until run time; iterations have their own segments"
    SEVERAL = "spans several GPUs"
    STATE = "has state other than variables and random streams"
    REFUSED = "CuPy cannot capture part of it"
    FAILED = "recording failed"
    FEW = "too few adjacent launches"


@dataclass
class Segment:
    """Nodes `start` to `end` (exclusive) of a program.

    live_in: slots read from earlier nodes; live_out: slots read by later nodes; neither includes constants, known cells
      or rematerialized reads.
    rematerialized_inside, rematerialized_after: indices of variable reads to repeat in the segment and after it.
    """

    start: int
    end: int
    device: str
    live_in: tuple[int, ...] = ()
    live_out: tuple[int, ...] = ()
    rematerialized_inside: tuple[int, ...] = ()
    rematerialized_after: tuple[int, ...] = ()


@dataclass
class Layout:
    """A program in segment order, with the segments by first node.

    copied: variable reads whose values are used after the variable may have changed.
    cells: the variable node of each slot that holds a cell.
    uncaptured: why nodes belong to no segment.
    """

    program: Program
    segments: dict[int, Segment] = field(default_factory=dict)
    copied: frozenset[int] = frozenset()
    cells: dict[int, Node] = field(default_factory=dict)
    uncaptured: dict[Node, UncapturableReason] = field(default_factory=dict)


def is_known(node: Node) -> bool:
    """Whether a slot's value is known at compile time: a constant, or a variable's cell."""
    return node.kind == "const" or is_variable(node)


def is_variable(node: Node) -> bool:
    """Whether the node returns the cell of a variable whose shape is known."""
    if node.kind != "op" or not node.opdef.makes_variable:
        return False
    return None not in (node.attrs["shape"] or ())


def is_read(node: Node) -> bool:
    """Whether the node returns a variable's own array."""
    return node.kind == "read" or (node.kind == "op" and node.opdef.name == "ReadVariableOp")


def writes(node: Node, program: Program) -> list[int]:
    """Returns the slots of variable cells that the node may change."""
    if node.has_own_state:
        return []
    if node.kind == "while":
        body = node.loop.program
        if not any(writes(inner, body) for inner in body.nodes):
            return []
    elif (
        node.kind not in ("op", "updates")
        or node.opdef.borrowed_result
        or node.opdef.makes_variable
    ):
        return []
    slots = program.slots
    return [
        s for s in node.inputs if slots[s].dtype._is_ref_dtype or slots[s].dtype is dtypes.resource
    ]


def variable_key(node: Node | None) -> tuple[str, ...] | None:
    """Returns the key shared by all nodes of one variable; None if the variable is unknown."""
    if node is None:
        return None
    attrs = node.attrs
    return attrs.get("container", ""), attrs.get("shared_name") or node.origin.name
