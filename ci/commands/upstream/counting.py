"""The counted tests, and their outcomes."""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
RANK = ("passed", "skipped", "failed", "error")


@dataclass
class Tables:
    """The counted tests by file: `files` has their number, `not_counted` the names of the others."""

    files: Path
    not_counted: Path


GRAPHS = Tables(HERE / "files.tsv", HERE / "not_counted.tsv.xz")
EAGER = Tables(HERE / "eager_files.tsv", HERE / "eager_not_counted.tsv.xz")


@dataclass
class FileOfTests:
    """A test file, its area, its number of counted tests, and the names of the others."""

    name: str
    area: str
    count: int
    not_counted: frozenset[str]

    def counts(self, test: str) -> bool:
        """Whether a test counts: no excluded name or pattern (ending with *) matches it."""
        if test in self.not_counted:
            return False
        return not any(
            name.endswith("*") and test.startswith(name[:-1]) for name in self.not_counted
        )


@dataclass
class Outcomes:
    """A worker's record of one file: outcomes and messages by test, and why the file as a whole failed."""

    tests: dict[str, str] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    failure: str = ""

    def passed(self, file: FileOfTests) -> list[str]:
        """The counted tests that passed."""
        return [t for t, o in self.tests.items() if o == "passed" and file.counts(t)]

    def failed(self, file: FileOfTests) -> dict[str, str]:
        """Messages of the counted tests that did not pass, if known by name."""
        return {
            test: self.messages[test] or outcome
            for test, outcome in self.tests.items()
            if outcome != "passed" and file.counts(test)
        }


def read_files(tables: Tables) -> list[FileOfTests]:
    """The files of the tables, in order."""
    names: dict[str, frozenset[str]] = {}
    for file, tests in rows(tables.not_counted):
        names[file] = frozenset(tests.split())
    return [
        FileOfTests(file, area, int(count), names.get(file, frozenset()))
        for area, file, count in rows(tables.files)
    ]


def rows(path: Path) -> list[list[str]]:
    """The non-comment lines of a table, by columns."""
    data = path.read_bytes()
    text = (lzma.decompress(data) if path.suffix == ".xz" else data).decode()
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


def read_outcomes(path: Path) -> dict[str, Outcomes]:
    """A worker's records, by file."""
    outcomes_by_file: dict[str, Outcomes] = defaultdict(Outcomes)
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        outcomes, test = outcomes_by_file[row["file"]], row["test"]
        if row["outcome"] == "private":
            outcomes.private |= set(row["message"].split())
        elif not test:
            outcomes.failure = outcomes.failure or row["message"]
        elif test not in outcomes.tests or _rank(row["outcome"]) > _rank(outcomes.tests[test]):
            outcomes.tests[test], outcomes.messages[test] = row["outcome"], row["message"]
    return dict(outcomes_by_file)


def _rank(outcome: str) -> int:
    return RANK.index(outcome)


def write_tables(tables: Tables, reference: dict[str, Outcomes]) -> None:
    """Rewrites both tables after a run on TensorFlow itself; files that were not run keep their lines."""
    files, names = [], []
    for file in read_files(tables):
        outcomes = reference.get(file.name)
        if outcomes is None:
            count, uncounted = file.count, file.not_counted
        else:
            uncounted = frozenset(
                test
                for test, outcome in outcomes.tests.items()
                if outcome != "passed" or test in outcomes.private or test.endswith(".test_session")
            )
            count = len(outcomes.tests) - len(uncounted)
        files.append(f"{file.area}\t{file.name}\t{count}\n")
        if uncounted:
            names.append(f"{file.name}\t{' '.join(sorted(uncounted))}\n")
    tables.files.write_text(
        "# area, file below tensorflow/python of TensorFlow 1.15, how many of its tests count\n"
        + "".join(files),
        encoding="utf-8",
    )
    text = "# file, its tests that do not count\n" + "".join(names)
    tables.not_counted.write_bytes(lzma.compress(text.encode()))
