"""Which tests reach which files of tfmini, in short: the text that `ci/mutants --map` writes and `ci/tests_of` reads.

A line for each file, also for a long one that no test reaches, and below it the tests, those of one file in a line,
with tabs between them: of each of the file's functions the nearest, which is of the file that mirrors it, or reaches
least else.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from ci.mutation.choosing import Reach
from ci.mutation.trial import Only

ROOT = Path(__file__).resolve().parents[2]
IN_SHORT = ROOT / "tests" / "reached.txt"
LONG = 40  # lines: a shorter module may do without a test


def read() -> dict[str, set[str]]:
    """Files of tfmini, each with names of tests."""
    found: dict[str, set[str]] = {}
    for line in IN_SHORT.read_text(encoding="utf-8").splitlines():
        if line.startswith("tfmini/"):
            tests = found.setdefault(line, set())
        elif line.startswith(" "):
            file, _, names = line[1:].partition("::")
            tests.update(f"tests/{file}::{name}" for name in names.split("\t"))
    return found


def write(found: Mapping[str, set[str]]) -> None:
    lines = ["# Files of tfmini and their tests: ci/mutants --map makes it, ci/tests_of reads it."]
    for path in sorted(found):
        names: dict[str, list[str]] = {}
        for test in sorted(found[path]):
            file, _, name = test.removeprefix("tests/").partition("::")
            names.setdefault(file, []).append(name)
        lines += [path, *(f" {file}::" + "\t".join(names[file]) for file in names)]
    IN_SHORT.write_text("\n".join([*lines, ""]), encoding="utf-8")


def renew(reach: Reach, whole: bool) -> None:
    """Writes what was noted: of the whole suite, or of a part of it for files that no line names yet."""
    noted = {path: tests for path, tests in reach.in_short().items() if (ROOT / path).is_file()}
    if whole:
        write({path: set[str]() for path in long_modules()} | noted)
    else:
        known = read()
        write(known | {path: tests for path, tests in noted.items() if not known.get(path)})


def long_modules() -> list[str]:
    """The modules of more than LONG lines, with functions among them that a test could call."""
    found = []
    for path in sorted((ROOT / "tfmini").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > LONG and any(
            isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(text))
        ):
            found.append(str(path.relative_to(ROOT)))
    return found


def imports(path: str) -> tuple[str, str]:
    """How a test imports a module: `from package import module`, or `from package.module import`."""
    package, _, name = path.removesuffix(".py").replace("/", ".").rpartition(".")
    return f"from {package} import {name}", f"from {package}.{name} import"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="ci/tests_of",
        description="Prints the tests that are nearest to each function of some files of tfmini.",
        epilog="A new file has none until `ci/mutants --map TEST...` has noted what its tests reach.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--run", action="store_true", help="run them")
    options = parser.parse_args()
    known = read()
    tests: set[str] = set()
    for file in options.files:
        path = os.path.relpath(file, ROOT)
        if not known.get(path):
            print(f"{path}: no test is known to reach it", file=sys.stderr)
        tests |= known.get(path, set())
    print("\n".join(sorted(tests)), flush=True)
    if not options.run or not tests:
        return 0 if tests else 1
    os.environ["TFMINI_THOROUGH"] = "all"
    files = sorted({test.partition("::")[0] for test in tests})
    with tempfile.NamedTemporaryFile() as note:
        only = Only(sorted(tests), Path(note.name))
        return pytest.main(["-q", *filter(os.path.exists, files)], plugins=[only])


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
