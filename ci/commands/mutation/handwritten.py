"""Handwritten mutants from a file: planted one by one, each with the test that detects it."""

from __future__ import annotations

import ast
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ci.commands.mutation.choosing import Reach, mirrors, sources
from ci.commands.mutation.operators import Mutant
from ci.commands.mutation.tests_of import read, tests_of
from ci.commands.mutation.trial import SAME, UNDETECTED, Copy

NEAREST = 150  # CPU seconds for the tests listed by `ci/tests_of`
FURTHER = 100  # for the other tests that the map lists for the function; without a map, those of the folder


@dataclass(frozen=True)
class Fault:
    """A code change and its visible effect."""

    mutant: Mutant
    subject: str


def places(root: Path, folders: Iterable[str], count: int, seed: int) -> Iterator[str]:
    """PATH:LINE of `count` random code lines in the sources of folders."""
    paths = [path for directory in folders for path in sources(root, directory)]
    texts = {path: (root / path).read_text(encoding="utf-8").splitlines() for path in paths}
    chance = random.Random(seed)
    for _ in range(count):
        (path,) = chance.choices(paths, [len(texts[each]) for each in paths])
        is_code = [bool(re.match(r"\s*[\w@*(\[{]", line)) for line in texts[path]]
        lines = [line_number for line_number, found in enumerate(is_code, 1) if found]
        yield f"{path}:{chance.choice(lines) if lines else 1}"


def faults(root: Path, file: Path) -> Iterator[Fault]:
    """The faults of a file of lines {"path", "old", "new", "subject"}.

    Raises:
      ValueError: if `old` does not occur exactly once in the file at `path`.
    """
    for line_number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        text = (root / row["path"]).read_text(encoding="utf-8")
        if text.count(row["old"]) != 1 or row["old"] == row["new"]:
            raise ValueError(
                f"{file}:{line_number}: does not occur exactly once in {row['path']}: {row['old']!r}"
            )
        before = text[: text.index(row["old"])]
        start, end = len(before.encode()), len((before + row["old"]).encode())
        line_number = before.count("\n") + 1
        function = _function(row["path"], text, line_number)
        mutant = Mutant(
            row["path"], line_number, function, "by hand", start, end, row["old"], row["new"]
        )
        yield Fault(mutant, row["subject"])


def _function(path: str, text: str, line: int) -> str:
    """The innermost function containing a line, as in `Mutant`."""
    if not path.endswith(".py"):
        return path
    function_types = (ast.FunctionDef, ast.AsyncFunctionDef)
    around = [
        min([node.lineno, *(d.lineno for d in node.decorator_list)])
        for node in ast.walk(ast.parse(text))
        if isinstance(node, function_types) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return f"{path}:{max(around)}" if around else path


def try_all(root: Path, file: Path, copy: Copy, reach: Reach | None) -> int:
    """Tries each fault with the tests nearest to its file, then with the tests that reach its function or, without a
    map, the folder's tests; prints two tables."""
    recorded = read()
    planted: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    rows = []
    for fault in faults(root, file):
        mutant = fault.mutant
        outcome = copy.run_mutant(mutant, tests_of(mutant.path, recorded), NEAREST)
        if outcome in UNDETECTED:
            further = reach.tests_of(mutant, FURTHER) if reach else mirrors(root, mutant.path)
            again = copy.run_mutant(mutant, further, FURTHER)
            outcome = outcome if again in UNDETECTED else again
        if outcome == SAME:
            continue
        short_path = mutant.path.removeprefix("tfmini/_src/")
        package = short_path.partition("/")[0]
        planted[package] += 1
        killed[package] += outcome not in UNDETECTED
        fate = outcome if outcome in UNDETECTED or not copy.failed else f"`{copy.failed}`"
        rows.append(f"| {short_path} | {fault.subject} | {fate} |")
        print(rows[-1], flush=True)
    print("\n| package | planted | killed |\n| --- | ---: | ---: |")
    for package in sorted(planted):
        print(f"| {package} | {planted[package]} | {killed[package]} |")
    print(f"| all | {planted.total()} | {killed.total()} |")
    return 1 if killed.total() < planted.total() else 0
