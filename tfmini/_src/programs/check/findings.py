"""Findings in a program, and the kinds of problem they report."""

from __future__ import annotations

from dataclasses import dataclass

from tfmini._src.programs.runner.python2 import syntax

# Each kind, and whether a program ends there under the runner.
KINDS = {
    "missing": True,  # TensorFlow 1.15.5 has it, tfmini lacks it
    "unknown": True,  # TensorFlow 1.15.5 lacks it too
    "old name": False,  # from before 1.0; the runner supplies it
    "gone name": False,  # Python or one of its libraries dropped it; the runner supplies it
    "not installed": True,  # a package that is not here
    "TensorFlow 2": True,  # a package that wants it
    "absl flag": True,  # of a name that absl.logging has defined
    "op library": True,  # ops of a compiled library
    "Python 2": not syntax.is_available(),  # the runner converts it
    "guessed": False,  # a meaning of Python 2
    "unreadable": True,  # no Python, no notebook, or no permission
}


@dataclass(frozen=True)
class Problem:
    """Problem with a name: its kind, the full name, and advice on what to do instead."""

    kind: str
    name: str
    advice: str


@dataclass(frozen=True)
class Finding:
    """A problem with its line, and its cell in a notebook (0 elsewhere)."""

    problem: Problem
    line: int
    cell: int = 0

    @property
    def place(self) -> str:
        """Position as text: `12`, or `cell 3:12`."""
        return f"cell {self.cell}:{self.line}" if self.cell else str(self.line)

    def ends(self, strict: bool = False) -> bool:
        """Whether the program would fail here under the runner, which supplies nothing if it is strict."""
        return strict or KINDS[self.problem.kind]
