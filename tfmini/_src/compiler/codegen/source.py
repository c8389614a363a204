"""Source: a plan's text as plain data, which is written, listed and compiled."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node, Program


@dataclass
class Source:
    """A function's text, the global names it uses, for each line the node that it runs, the names of constant slots.

    program: the nodes in the order of the text.
    loops: the names of the functions of loops in the text, those of loops around before those of loops in them.
    calls: the lines that call other functions of the text.
    uncaptured: why nodes are not captured, on devices that capture.
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
