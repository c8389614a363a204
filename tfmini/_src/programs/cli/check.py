"""`python -m tfmini check PATH...`: finds programs' problems under `run` without running them."""

from __future__ import annotations

import argparse
import gc
from collections import Counter
from typing import Any

from tfmini._src.programs.check.findings import KINDS, Finding
from tfmini._src.programs.check.programs import findings_by_file
from tfmini._src.programs.check.source_files import files
from tfmini._src.programs.cli import fix
from tfmini._src.programs.cli.printable import complain, printable
from tfmini._src.programs.cli.reports import Report, Section, as_json, count_text
from tfmini._src.programs.cli.terminal_report import show

ABOUT = """\
Find what programs that import tensorflow would miss under `tfmini run`, without running them: unsupported names, with
line numbers and replacements; names from before TensorFlow 1.0 and names that libraries have removed; Python 2 syntax;
packages that are not installed or need TensorFlow 2; flags that absl defines; compiled op libraries. The exit status is
1 if a program would fail."""


def add_to(commands: Any) -> None:
    """Adds the command to argparse's subparsers."""
    parser = commands.add_parser(
        "check",
        help="find problems in programs that import tensorflow",
        description=ABOUT,
    )
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a script, a notebook (.ipynb), or a directory of them",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object: kind, path, verdict, items"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="report as errors the names that `tfmini run --strict` does not supply",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="convert the scripts in place to Python 3 and TensorFlow 1.15 names, without backups",
    )
    parser.add_argument(
        "--diff", action="store_true", help="print the changes of --fix without applying them"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the report or converts the programs; returns the exit status."""
    if arguments.fix or arguments.diff:
        try:
            return fix.fix(arguments.paths, not arguments.diff)
        except FileNotFoundError as error:
            complain("check", error)
            return 1
    gc.disable()  # trees have no cycles; collection would take a third of the time
    try:
        problems_by_file = findings_by_file(list(files(arguments.paths)))
    except FileNotFoundError as error:
        complain("check", error)
        return 1
    finally:
        gc.enable()
    report = make_report(arguments.paths, problems_by_file, arguments.strict)
    if arguments.json:
        print(as_json(report))
    else:
        show(report)
        print(f"\n{printable(report.facts['verdict'])}")
    return int(
        any(
            f.fails(arguments.strict)
            for file_findings in problems_by_file.values()
            for f in file_findings
        )
    )


def make_report(
    paths: list[str], problems_by_file: dict[str, list[Finding]], strict: bool = False
) -> Report:
    """Reports the findings line by line, then a table with the count of each kind per file."""
    items = [
        {
            **{"file": file, "line": f.line, "cell": f.cell or None},
            **{"kind": f.problem.kind, "name": f.problem.name, "advice": f.problem.advice},
        }
        for file, file_findings in problems_by_file.items()
        for f in _sort_by_line(file_findings)
    ]
    sections = []
    if items:
        sections = [
            Section("", ("place", "kind", "name", "instead"), _finding_rows(problems_by_file)),
            Section("By file", ("file", *KINDS), _counts(problems_by_file)),
        ]
    facts = {"files": len(problems_by_file), "verdict": verdict(problems_by_file, strict)}
    lines = [count_text(len(problems_by_file), "file")]
    return Report("check", " ".join(paths), items, lines, sections, facts)


def verdict(problems_by_file: dict[str, list[Finding]], strict: bool = False) -> str:
    """Returns the last line of the report: whether all names that the programs use exist."""
    if not problems_by_file:
        return "No Python file or notebook found."
    summary_lines = [
        file
        for file, file_findings in problems_by_file.items()
        if any(f.fails(strict) for f in file_findings)
    ]
    if not summary_lines:
        return f"Nothing is missing in {count_text(len(problems_by_file), 'file')}."
    total = count_text(len(problems_by_file), "file")
    return f"{len(summary_lines):,} of {total} would fail."


def _sort_by_line(findings: list[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (finding.cell, finding.line))


def _finding_rows(problems_by_file: dict[str, list[Finding]]) -> list[tuple[str, ...]]:
    """Returns a row per name and file: the name's first line, and the number of further ones."""
    rows: list[tuple[str, ...]] = []
    for file, file_findings in problems_by_file.items():
        first: dict[Any, Finding] = {}
        for finding in _sort_by_line(file_findings):
            first.setdefault(finding.problem, finding)
        count = Counter(finding.problem for finding in file_findings)
        for problem, finding in first.items():
            suffix = f" (and {count[problem] - 1:,} more)" if count[problem] > 1 else ""
            location = f"{file}:{finding.place}{suffix}"
            rows.append((location, problem.kind, problem.name, problem.advice))
    return rows


def _counts(problems_by_file: dict[str, list[Finding]]) -> list[tuple[Any, ...]]:
    """Returns the number of names per kind and file, for files with any."""
    return [
        (
            file,
            *(
                len({f.problem for f in file_findings if f.problem.kind == kind}) or None
                for kind in KINDS
            ),
        )
        for file, file_findings in problems_by_file.items()
        if file_findings
    ]
