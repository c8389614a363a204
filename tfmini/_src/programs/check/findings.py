"""Findings of a check, and the problem kinds."""

from __future__ import annotations

from dataclasses import dataclass

from tfmini._src.programs.runner.python2 import syntax

# Problem kinds, and whether each ends a program under the runner.
KINDS = {
    "missing": True,  # exists in TensorFlow 1.15.5, but not in tfmini
    "unknown": True,  # does not exist in TensorFlow 1.15.5 either
    "old name": False,  # a name from before 1.0, which the runner supplies
    "removed name": False,  # removed from Python or a library; supplied by the runner
    "not installed": True,  # package not installed
    "TensorFlow 2": True,  # installed package requires it
    "absl flag": True,  # a flag that absl.logging also defines
    "op library": True,  # ops in a compiled library
    "Python 2": not syntax.is_available(),  # converted by the runner
    "guessed": False,  # ambiguous Python 2 meaning
    "unreadable": True,  # not Python, not a notebook, or not readable
}


@dataclass(frozen=True)
class Problem:
    """A problem with a name: its kind, the full name, and advice for a replacement."""

    kind: str
    name: str
    advice: str


@dataclass(frozen=True)
class Finding:
    """A problem with its line, and its cell number in a notebook (0 in a script)."""

    problem: Problem
    line: int
    cell: int = 0

    @property
    def place(self) -> str:
        """Position as text: `12`, or `cell 3:12`."""
        return f"cell {self.cell}:{self.line}" if self.cell else str(self.line)

    def fails(self, strict: bool = False) -> bool:
        """Whether the program would fail here under the runner, which supplies no removed names if `strict`."""
        return strict or KINDS[self.problem.kind]
