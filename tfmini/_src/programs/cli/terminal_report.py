"""Reports on a terminal, with rich."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Literal

from tfmini._src.programs.cli.printable import printable
from tfmini._src.programs.cli.reports import (
    EMPTY_CELL,
    Report,
    Section,
    align,
    as_text,
    cell,
    drop_empty_columns,
    report_head,
)

try:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text
except ModuleNotFoundError:
    _HAS_RICH = False
else:
    _HAS_RICH = True


def show(report: Report) -> None:
    """Prints the tables: with rich on a terminal, if installed, else as plain columns."""
    if _HAS_RICH and sys.stdout.isatty():
        console = Console()
        head, *lines = report_head(report)
        console.print(Text(head, "bold"))
        for line in lines:
            console.print(Text(line))
        for section in report.sections:
            console.print()
            if section.title:
                console.print(Text(printable(section.title), "bold cyan"))
            console.print(_rich(section, console.width))
            if section.left_out:
                console.print(f"... and {section.left_out} more")
    else:
        print(as_text(report))


def _rich(section: Section, width: int) -> Table | Text:
    """Returns a table whose columns fit their longest words, or else a block of lines per row."""
    section = drop_empty_columns(section)
    heads = align(section)
    rows = [[cell(value) for value in row] for row in section.rows]
    texts = [[head, *(row[i] for row in rows)] for i, head in enumerate(heads)]
    words = [max(map(len, " ".join(column).split()), default=0) for column in texts]
    if sum(words) + 2 * len(words) > width:
        return _blocks(heads, rows)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for head, min_width in zip(heads, words):
        alignment: Literal["left", "right"] = "right" if head[:1] == " " else "left"
        table.add_column(Text(printable(head.lstrip())), justify=alignment, min_width=min_width)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _blocks(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Text:
    """Returns each row as its first cell, and an indented line per remaining cell."""
    lines = []
    for first, *remaining in rows:
        lines.append(first)
        for head, value in zip(heads[1:], remaining):
            if value != EMPTY_CELL:
                lines.append(f"  {printable(head.strip())}: {value}")
    return Text("\n".join(lines))
