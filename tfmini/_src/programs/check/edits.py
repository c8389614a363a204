"""Source edits that replace the text of syntax tree nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Edit:
    """New text for a range of source code.

    Attributes:
      start: line, from 1, and column in UTF-8 bytes, as in `ast`.
      end: likewise, exclusive.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def node_edit(node: Any, text: str) -> Edit:
    """Returns the edit that replaces a node."""
    return Edit((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset), text)


def apply_edits(source: str, edits: list[Edit]) -> str:
    """Applies non-overlapping edits to source code."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    data = b"".join(lines)

    def offset_of(position: tuple[int, int]) -> int:
        return starts[position[0] - 1] + position[1]

    for edit in sorted(set(edits), key=lambda e: e.start, reverse=True):
        data = data[: offset_of(edit.start)] + edit.text.encode() + data[offset_of(edit.end) :]
    return data.decode()
