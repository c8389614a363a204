"""`Source`: a plan's source as plain data."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node, Program


@dataclass
class Source:
    """A function's source lines, its global names, the node of each line, and the names of constant slots.

    program: the program, with nodes in emission order.
    loops: names of the loop functions, outer before inner.
    calls: lines that call other functions of the source.
    uncaptured: why nodes are not captured, on devices with graph capture.
    """

    program: Program
    lines: list[str] = field(default_factory=list)
    names: dict[str, Any] = field(default_factory=dict)
    node_of_line: dict[int, Node] = field(default_factory=dict)
    constants: dict[int, str] = field(default_factory=dict)
    loops: list[str] = field(default_factory=list)
    calls: set[int] = field(default_factory=set)
    uncaptured: dict[Node, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "\n".join(self.lines)
