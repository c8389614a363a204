"""Selection of mutants, and of the tests that run for each."""

from __future__ import annotations

import gzip
import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from ci.commands.mutation import native
from ci.commands.mutation.operators import OPERATORS, Mutant, is_python, mutants

# Tests of kernels, which the map lacks: for C++ and for CUDA.
NATIVE_TESTS = {
    native.CPU: ("tests/devices/host/native", "tests/devices"),
    native.CUDA: ("tests/kernels",),
}

GOLDEN = "tests/conformance/test_golden.py::test_same_graph_and_values"
KINDS, CASES = 3, 2  # of the tests recorded for a function


def draw(root: Path, directory: str, seed: int) -> Iterator[Mutant]:
    """Random mutants of a folder's files, or of one file: first an operator is drawn, then a place."""
    texts = {path: (root / path).read_bytes() for path in sources(root, directory)}
    by_operator: dict[str, list[Mutant]] = defaultdict(list)
    for path, text in texts.items():
        for mutant in list_mutants(path, text):
            by_operator[mutant.operator].append(mutant)
    chance = random.Random(f"{seed} {directory}")
    while any(by_operator.values()):
        candidates = by_operator[chance.choice([o for o in OPERATORS if by_operator[o]])]
        mutant = candidates.pop(chance.randrange(len(candidates)))
        if not mutant.path.endswith(".py") or is_python(mutant, texts[mutant.path]):
            yield mutant


def sample(root: Path, folders: Iterable[str], seed: int) -> Iterator[Mutant]:
    """Random mutants of folders, in proportion to lines: first a folder is drawn, then as in `draw`."""
    lines = {f: sum(map(_lines, (root / p for p in sources(root, f)))) for f in folders}
    left = {directory: draw(root, directory, seed) for directory in lines}
    chance = random.Random(seed)
    while left:
        (directory,) = chance.choices(list(left), [lines[directory] for directory in left])
        if mutant := next(left[directory], None):
            yield mutant
        else:
            del left[directory]


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def at_line(root: Path, path: str, line: int) -> list[Mutant]:
    """All mutants that begin on a given line of a file."""
    text = (root / path).read_bytes()
    mutants = [m for m in list_mutants(path, text) if m.line == line]
    return [m for m in mutants if not path.endswith(".py") or is_python(m, text)]


def list_mutants(path: str, text: bytes) -> list[Mutant]:
    return (mutants if path.endswith(".py") else native.mutants)(path, text)


def sources(root: Path, directory: str) -> list[str]:
    """A folder's files to mutate; `kernels` are the CUDA sources, `kernels/cpu` the C++ sources."""
    if (root / directory).is_file():
        return [directory]
    python = (root / directory).rglob("*.py")
    kernels = [p for p in (root / directory).iterdir() if p.suffix in native.ENDINGS]
    return sorted(str(path.relative_to(root)) for path in (*python, *kernels))


def mirror(path: str) -> str:
    """The test file that mirrors a module, if it exists."""
    directory, _, name = path.replace("tfmini/_src/", "tests/", 1).rpartition("/")
    return f"{directory}/test_{name}"


def mirrors(root: Path, path: str) -> list[str]:
    """Test files of a source's folder, or of the nearest folder above that has any, in the package; those with its name
    first."""
    directory, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    folders = NATIVE_TESTS.get(directory) or (_tested_folder(root, directory),)
    tests = [test for each in folders for test in sorted((root / each).glob("test_*.py"))]
    tests.sort(key=lambda test: -_shared_prefix(test.stem.removeprefix("test_"), stem))
    return [str(test.relative_to(root)) for test in tests]


def _tested_folder(root: Path, directory: str) -> str:
    """The folder of tests that mirrors a folder, or the nearest one above it, up to the package."""
    mirrored = directory.replace("tfmini/_src", "tests", 1)
    while mirrored.count("/") > 1 and not any((root / mirrored).glob("test_*.py")):
        mirrored = mirrored.rpartition("/")[0]
    return mirrored


def _shared_prefix(one: str, other: str) -> int:
    """The length of the longest word prefix that two names share."""
    return max(_beginning(a, b) for a in one.split("_") for b in other.split("_"))


def _beginning(one: str, other: str) -> int:
    """The length of the common prefix of two words."""
    pairs = zip(one, other)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


class Reach:
    """The map that `reach.py` recorded of the whole suite.

    Raises:
      FileNotFoundError: if it has not been recorded.
    """

    def __init__(self, directory: Path):
        paths = sorted(directory.glob("*.json.gz"))
        if not paths:
            raise FileNotFoundError(
                f"{directory} has no map of the suite: ci/mutants --map creates it"
            )
        self._tests: list[tuple[str, float, int]] = []
        self._reached: dict[str, list[int]] = defaultdict(list)
        for path in paths:
            with gzip.open(path, "rt") as file:
                part = json.load(file)
            for name, indices in part["reached"].items():
                self._reached[name] += [n + len(self._tests) for n in indices]
            self._tests += [tuple(row) for row in part["tests"]]
        self._of_file: dict[str, set[int]] = defaultdict(set)
        for name, indices in self._reached.items():
            self._of_file[name.split(":")[0]].update(indices)
        self._of_param: dict[str, list[int]] = defaultdict(list)
        for index, (test, _, _) in enumerate(self._tests):
            self._of_param[test.partition("[")[2].rstrip("]").split("-")[0]].append(index)

    def tests_of(self, mutant: Mutant, seconds: float) -> list[str]:
        """The tests that reach a mutant's function, up to `seconds` in total.

        For code outside functions, the tests that reach the file; if none do, those of the mirroring folder. The
        mirroring file comes first, then the tests that reach the fewest other functions.
        """
        reaching = set(self._reached.get(mutant.function) or self._of_file.get(mutant.path, ()))
        if mutant.op:
            reaching |= self._of_file.get(mutant.path, set()) | set(self._of_param[mutant.op])
        if not reaching:
            directory = mirror(mutant.path).rpartition("/")[0]
            reaching = {
                n for n, row in enumerate(self._tests) if row[0].startswith(f"{directory}/")
            }
        selected, left = [], seconds
        for index in self._nearest_first(mutant.path, reaching, mutant.op):
            test, took, _ = self._tests[index]
            if took <= left:
                selected.append(test)
                left -= took
        return selected

    def in_short(self) -> dict[str, list[str]]:
        """For each file of tfmini, the tests nearest to its functions, nearest first: per function, KINDS of different
        names, CASES of each, and a golden program."""
        by_file: dict[str, set[int]] = defaultdict(set)
        for name, indices in self._reached.items():
            path = name.split(":")[0]
            cases: Counter[str] = Counter()
            for index in self._nearest_first(path, indices):
                test = self._tests[index][0].partition("[")[0]
                is_wanted = test in cases or len(cases) < KINDS or test == GOLDEN
                if is_wanted and cases[test] < (1 if test == GOLDEN else CASES):
                    cases[test] += 1
                    by_file[path].add(index)
        return {
            path: [self._tests[index][0] for index in self._nearest_first(path, indices)]
            for path, indices in by_file.items()
        }

    def _nearest_first(self, path: str, indices: Iterable[int], op: str = "") -> list[int]:
        start = mirror(path).removesuffix(".py")

        def order(index: int) -> tuple:
            test, _, size = self._tests[index]
            named = test.startswith(start) or bool(op) and f"[{op}" in test
            return not named, size, index

        return sorted(indices, key=order)
