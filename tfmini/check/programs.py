"""One program: its findings."""

from __future__ import annotations

from tfmini.check import python2
from tfmini.check.findings import Finding, Problem
from tfmini.check.sources import trees
from tfmini.check.uses import Uses
from tfmini.runner.programs import CannotRun

_TOO_DEEP = Finding(Problem("unreadable", "no program", "nested too deep"), 1)


def findings(file: str) -> list[Finding]:
    """What is found in a script or a notebook, by line; up to where it does not parse."""
    uses = Uses(file)
    broken = []
    try:
        for cell, tree in trees(file):
            uses.read(tree, cell)
    except SyntaxError as error:
        broken.append(Finding(python2.syntax(error), error.lineno or 1, getattr(error, "cell", 0)))
    except RecursionError:
        broken.append(_TOO_DEEP)
    except (CannotRun, OSError) as error:
        broken.append(Finding(Problem("unreadable", "no program", str(error)), 1))
    try:
        uses.end()
    except RecursionError:
        broken.append(_TOO_DEEP)
    return uses.found() + broken
