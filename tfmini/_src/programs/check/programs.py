"""Findings of one program, or of many in parallel on all cores."""

from __future__ import annotations

import gc
import multiprocessing
import os

from tfmini._src.programs.check import python2
from tfmini._src.programs.check.findings import Finding, Problem
from tfmini._src.programs.check.guesses import guesses
from tfmini._src.programs.check.python2_syntax import parse_leniently
from tfmini._src.programs.check.source_files import trees
from tfmini._src.programs.check.uses import Uses
from tfmini._src.programs.runner.programs import NoProgramError
from tfmini._src.programs.runner.python2 import evidence

_MIN_PARALLEL_FILES = 400  # minimum number of files for starting processes, at half a second each
_TOO_DEEP = Finding(Problem("unreadable", "no program", "nested too deep"), 1)


def findings_by_file(files: list[str]) -> dict[str, list[Finding]]:
    """Returns the findings by file, in input order."""
    cores = min(os.cpu_count() or 1, 8)
    if len(files) < _MIN_PARALLEL_FILES or cores == 1:
        return dict(zip(files, map(findings, files), strict=True))
    with multiprocessing.get_context("spawn").Pool(cores, gc.disable) as pool:
        findings_of_files = pool.map(findings, files, chunksize=25)
    return dict(zip(files, findings_of_files, strict=True))


def findings(file: str) -> list[Finding]:
    """Returns findings in a script or notebook, by line, up to the first syntax error; parses Python 2 leniently."""
    uses = Uses(file)
    unreadable_files = []
    try:
        for cell, tree in trees(file):
            uses.read(tree, cell)
            for handler in evidence.old_handlers(tree):
                unreadable_files.append(Finding(python2.handler(handler), handler.lineno, cell))
            if not cell and evidence.has_names(tree):
                unreadable_files += guesses(tree)
    except SyntaxError as error:
        cell, problem = getattr(error, "cell", 0), python2.syntax(error)
        unreadable_files.append(Finding(problem, error.lineno or 1, cell))
        partial_tree = (
            parse_leniently(getattr(error, "source", "")) if problem.kind == "Python 2" else None
        )
        if partial_tree is not None:
            uses.read(partial_tree, cell)
            unreadable_files += guesses(partial_tree, cell)
    except RecursionError:
        unreadable_files.append(_TOO_DEEP)
    except (NoProgramError, OSError) as error:
        unreadable_files.append(Finding(Problem("unreadable", "no program", str(error)), 1))
    try:
        uses.end()
    except RecursionError:
        unreadable_files.append(_TOO_DEEP)
    return uses.distinct_findings() + unreadable_files
