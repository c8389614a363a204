"""Tests that reach each file of tfmini: the table written by `ci/mutants --map` and read by `ci/tests_of`.

The table belongs to one checkout (git ignores it); without it, `ci/tests_of` uses the files' contents only.

It has a line per file, followed by the tests, nearest first, those of one test file on a line, separated by tabs: for
each function of the file, the nearest tests of a few names (from the mirroring test file, or reaching the fewest other
functions), and a golden program. Tests found without the table: first tests that mirror a file. Then tests that import
it; if none has its name, or the table lacks the file, also the others of its folder, which may run it in a separate
process, golden programs with the ops it declares, scenes that mention its or its folder's public names, the short
programs and other scenes of its package, and groups of recorded calls of these names. A kernel has the tests of the
modules that call it.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path

import pytest

from ci.commands.mutation.choosing import GOLDEN, Reach, mirror, mirrors
from ci.commands.mutation.trial import Only
from tests.conformance import recorded_calls
from tests.support import goldens

ROOT = Path(__file__).resolve().parents[3]
IN_SHORT = ROOT / ".reached.txt"
_GROUPS = 12
_FILES = 4  # more importing tests are not specific; nor are kernel tests with other names
_OF_AN_OP = 2  # golden programs
_SCENES = 8

_NO_TESTS = 5  # pytest's exit status if no tests were collected; 1 means that a test failed


def read() -> dict[str, list[str]]:
    """Test names by file of tfmini; empty before a map was recorded."""
    tests_by_file: dict[str, list[str]] = {}
    if not IN_SHORT.exists():
        return tests_by_file
    for line in IN_SHORT.read_text(encoding="utf-8").splitlines():
        if line.startswith("tfmini/"):
            tests = tests_by_file.setdefault(line, [])
        elif line.startswith(" "):
            file, _, names = line[1:].partition("::")
            tests += [f"tests/{file}::{name}" for name in names.split("\t")]
    return tests_by_file


def write(tests_by_file: Mapping[str, Iterable[str]]) -> None:
    lines = ["# Files of tfmini and their tests: ci/mutants --map makes it, ci/tests_of reads it."]
    for path in sorted(tests_by_file):
        names: dict[str, list[str]] = {}
        for test in tests_by_file[path]:
            file, _, name = test.removeprefix("tests/").partition("::")
            names.setdefault(file, []).append(name)
        lines += [path, *(f" {file}::" + "\t".join(names[file]) for file in names)]
    IN_SHORT.write_text("\n".join([*lines, ""]), encoding="utf-8")


def renew(reach: Reach, whole: bool) -> None:
    """Writes the recorded map: of the whole suite, or of a part of it for files missing from it."""
    noted = {path: tests for path, tests in reach.in_short().items() if (ROOT / path).is_file()}
    if whole:
        write(noted)
    else:
        recorded = read()
        write(recorded | {path: tests for path, tests in noted.items() if not recorded.get(path)})


def imports(path: str) -> tuple[str, str]:
    """The import statements of a module: `from package import module`, or `from package.module import`."""
    package, _, name = path.removesuffix(".py").replace("/", ".").rpartition(".")
    return f"from {package} import {name}", f"from {package}.{name} import"


def tests_of(path: str, recorded: Mapping[str, list[str]]) -> list[str]:
    """The tests of a source, nearest first: whole files, and individual tests of other files."""
    if path.endswith(".h"):
        of_users = [test for user in _including(path) for test in tests_of(user, recorded)]
        return list(dict.fromkeys(of_users))
    if path.startswith("kernels/"):
        callers = [caller for caller in _devices() if _calls(caller, path)]
        of_callers = [test for caller in callers for test in tests_of(caller, recorded)]
        return list(dict.fromkeys([*mirrors(ROOT, path)[:_FILES], *of_callers]))
    if not (ROOT / path).is_file():
        return []
    named = re.compile("|".join(rf"{re.escape(each)}\b" for each in imports(path)))
    is_mirrored = (ROOT / mirror(path)).is_file()
    nearest = [mirror(path)] * is_mirrored + list(recorded.get(path, ()))
    importing = [test for test, text in _texts() if named.search(text)]
    nearest += importing * (len(importing) <= _FILES)
    whole = {test for test in nearest if "::" not in test}
    nearest = [test for test in nearest if test in whole or test.partition("::")[0] not in whole]
    nearest += _that_name(path)
    nearest += _with_ops(path)
    nearest += _scenes(path)
    if not (is_mirrored and path in recorded):
        nearest += mirrors(ROOT, path)
    package = Path("tests", *Path(path).parts[2:3])
    of_package = [package / "test_short_programs.py", package / "test_scenes.py"]
    nearest += [str(test) for test in of_package if test.is_file()]
    nearest += _call_groups(path)
    return list(dict.fromkeys(nearest))


def _including(path: str) -> list[str]:
    """The kernel sources that include a header, directly or indirectly."""
    name = Path(path).name
    users = [
        each
        for each in sorted((ROOT / path).parent.iterdir())
        if each.is_file() and re.search(rf'#include "(?:\S*/)?{re.escape(name)}"', each.read_text())
    ]
    sources = []
    for user in users:
        inner = str(user.relative_to(ROOT))
        sources += _including(inner) if user.suffix == ".h" else [inner]
    return list(dict.fromkeys(sources))


def _call_groups(path: str) -> list[str]:
    """The groups of recorded calls with most public names of a file, or else of its folder or package."""
    module = path.removesuffix(".py").replace("/", ".")
    package = ".".join(module.split(".")[:3])
    for module_name in dict.fromkeys((module, module.rpartition(".")[0], package)):
        names = _module_names(module_name)
        counts = Counter(
            group
            for group, calls in _recorded_calls().items()
            for name in calls
            if any(part in names for part in accumulate(name.split("."), "{}.{}".format))
        )
        if counts:
            test = "tests/conformance/test_recorded_calls.py::test_same_answers"
            return [f"{test}[{group}]" for group, _ in counts.most_common(_GROUPS)]
    return []


@functools.cache
def _recorded_calls() -> dict[str, list[str]]:
    names_by_group = {}
    for path in recorded_calls.PATHS:  # one by one: all calls together take 200 MB
        for group, calls in recorded_calls.read(path).items():
            names_by_group[group] = [name for name, _, _ in calls]
    return names_by_group


def _module_names(module_name: str) -> set[str]:
    """The public names of a module, or of the modules of a package."""
    return {name for name, source in _public_names() if f"{source}.".startswith(f"{module_name}.")}


def _that_name(path: str) -> list[str]:
    """Golden programs and tests that mention most public names of a file, with the last part of their namespace."""
    names = {".".join(n.split(".")[-2:]) for n in _module_names(path[:-3].replace("/", "."))}
    if not names:
        return []
    said = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    def most(texts: Iterable[tuple[str, str]]) -> list[str]:
        counts = Counter({each: len(set(said.findall(text))) for each, text in texts})
        return [each for each, mentions in counts.most_common(_FILES) if mentions]

    return [*most(_texts()), *(f"{GOLDEN}[{name}]" for name in most(_programs()))]


def _with_ops(path: str) -> list[str]:
    """Golden programs whose graphs contain the ops that a file declares: the smallest for each op."""
    if not path.endswith(".py") or not (ROOT / path).is_file():
        return []
    declared = re.findall(r"\b(?:\w+_)?op\(\s*\"(\w+)\"", (ROOT / path).read_text(encoding="utf-8"))
    programs = [
        f"{GOLDEN}[{name}]"
        for op_type in declared
        for name in [name for name, op_types in _golden_kinds() if op_type in op_types][:_OF_AN_OP]
    ]
    return list(dict.fromkeys(programs))


def _scenes(path: str) -> list[str]:
    """The package's scenes that mention most public names of the file, or else of its folder."""
    module, package = path.removesuffix(".py").replace("/", "."), Path(path).parts[2]
    for module_name in (module, module.rpartition(".")[0]):
        names = {name.rpartition(".")[2] for name in _module_names(module_name)}
        said = re.compile(rf"\.(?:{'|'.join(map(re.escape, names))})\b")
        counts = {scene: len(set(said.findall(text))) for scene, text in _package_scenes(package)}
        if names and any(counts.values()):
            selected = [
                scene for scene, mentions in Counter(counts).most_common(_SCENES) if mentions
            ]
            return [f"tests/{package}/test_scenes.py::test_scene[{scene}]" for scene in selected]
    return []


@functools.cache
def _package_scenes(package: str) -> list[tuple[str, str]]:
    """The scenes of a package, FILE-NAME, and the text of each."""
    function = re.compile(r"^def ([a-z]\w*)\(tf, stage\):\n(?:[ \n].*\n?)*", re.MULTILINE)
    return [
        (f"{path.stem}-{match[1]}", match[0])
        for path in sorted((ROOT / "tests" / "conformance" / "scenes").glob(f"{package}_*.py"))
        for match in function.finditer(path.read_text(encoding="utf-8"))
    ]


@functools.cache
def _golden_kinds() -> list[tuple[str, set[str]]]:
    """Golden programs, smallest first, with the ops in their records."""
    ops = (ROOT / "tfmini" / "_src" / "ops" / "op_modules.txt").read_bytes()
    declared = {each: each.decode() for each in re.findall(rb"\b[A-Z]\w{2,}", ops)}
    paths = (ROOT / "tests" / "golden" / "programs").glob("*.json.xz")
    programs = []
    for path in sorted(paths, key=lambda path: (path.stat().st_size, path)):
        words = re.finditer(rb"[A-Z]\w{2,}", goldens.read_bytes(path))
        op_types = {declared[word.group()] for word in words if word.group() in declared}
        programs.append((path.name.partition(".")[0], op_types))
    return programs


@functools.cache
def _programs() -> list[tuple[str, str]]:
    paths = sorted((ROOT / "tests" / "conformance" / "recorded_programs").rglob("[a-z]*.py"))
    return [(path.stem, path.read_text(encoding="utf-8")) for path in paths]


@functools.cache
def _public_names() -> list[tuple[str, str]]:
    """Public names, each with its defining module of `_src`, even if another namespace reexports it."""
    row = re.compile(r"^from (tfmini[\w.]*) import (\w+) as (\w+)(?:; (\w+) = \3$)?", re.MULTILINE)
    sources: dict[str, tuple[str, str]] = {}
    for stub in sorted((ROOT / "tfmini").rglob("__init__.pyi")):
        namespace = ".".join(stub.relative_to(ROOT).parts[:-1])
        for source, name, original, other in row.findall(stub.read_text(encoding="utf-8")):
            sources[f"{namespace}.{other or original}"] = (source, name)
    pairs = []
    for name in sources:
        source, of_it = sources[name]
        while (step := sources.get(f"{source}.{of_it}", (source, of_it))) != (source, of_it):
            source, of_it = step
        if source.startswith("tfmini._src"):
            pairs.append((name.replace("tfmini", "tf", 1), source))
    return pairs


@functools.cache
def _texts() -> list[tuple[str, str]]:
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    paths = [path for path in paths if path.parent.name != "conformance"]  # of everything
    return [(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in paths]


def _devices() -> list[str]:
    return sorted(str(p.relative_to(ROOT)) for p in (ROOT / "tfmini/_src/devices").rglob("*.py"))


def _calls(caller: str, kernel: str) -> bool:
    """Whether a module contains a kernel file's name, or an exported function's, as a string."""
    text = (ROOT / kernel).read_text(encoding="utf-8")
    names = [Path(kernel).stem, *re.findall(r"\bEXPORT \w+\*? ?(\w+?)_*(?:##|\()", text)]
    return (
        re.search(rf"[\"'](?:{'|'.join(names)})(?:[\"'_])", (ROOT / caller).read_text("utf-8"))
        is not None
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="ci/tests_of",
        description="Prints the tests closest to the given files, closest first.",
        epilog="For a new file: the tests that mirror or import it, until `ci/mutants --map TEST...` records the "
        "functions its tests reach.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument(
        "--run",
        action="store_true",
        help="run them, including the full tier, until one fails",
    )
    options = parser.parse_args()
    recorded = read()
    selected: list[str] = []
    for file in options.files:
        path = os.path.relpath(file, ROOT)
        tests = tests_of(path, recorded)
        if not tests:
            print(f"{path}: no test is known to reach it", file=sys.stderr)
        selected += tests
    selected = list(dict.fromkeys(selected))
    print("\n".join(selected), flush=True)
    if not options.run or not selected:
        return 0 if selected else _NO_TESTS
    os.environ["TFMINI_TIER"] = "full"
    files = dict.fromkeys(test.partition("::")[0] for test in selected)
    with tempfile.NamedTemporaryFile() as note:
        only = Only(selected, Path(note.name))
        return pytest.main(["-q", "-x", *filter(os.path.exists, files)], plugins=[only])


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
