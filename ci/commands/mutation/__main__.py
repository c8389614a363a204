"""`ci/mutants`: see --help."""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import google.protobuf.descriptor_pb2  # noqa: F401 - what a trial needs and no mutant changes
import ml_dtypes  # noqa: F401
import numpy  # noqa: F401
import pytest
import scipy.special  # noqa: F401

from ci.commands.mutation import floors, handwritten
from ci.commands.mutation.choosing import Reach, at_line, draw, mirrors, sample
from ci.commands.mutation.operators import OPERATORS, Mutant
from ci.commands.mutation.tests_of import read, renew, tests_of
from ci.commands.mutation.trial import NO_COVERAGE, SAME, UNDETECTED, Copy

ROOT = Path(__file__).resolve().parents[3]
MAP = ROOT / "build" / "reach"
WHOLE_FILES = 120  # time limit in seconds for the tests of a folder
OF_A_SAMPLE = 60  # CPU seconds per mutant


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ci/mutants",
        description="Mutates tfmini, each time in a copy of the tree, runs the tests that mirror or cover the line "
        f"and lists the surviving mutants. Mutation operators: {', '.join(OPERATORS)}.",
        epilog="Run ci/mutants --map first: it runs the suite once to map tests to functions. "
        "Exit status: 1 if a mutant survives; with --floors, if a folder is below its floor.",
    )
    parser.add_argument(
        "where",
        nargs="*",
        metavar="WHERE",
        help="folders, files, or PATH:LINE for all mutants of a line; by default each package of tfmini/_src, "
        "kernels/cpu (C++) and kernels (CUDA)",
    )
    parser.add_argument("--count", type=int, default=10, help="mutants per folder (%(default)s)")
    parser.add_argument(
        "--seed", type=int, default=1, help="random seed of the selection (%(default)s)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=10,
        metavar="S",
        help="run tests for S seconds in total, by the map's timings, closest first (%(default)s)",
    )
    parser.add_argument(
        "--floors",
        type=Path,
        metavar="FILE",
        help="store the results in scores.json, retry only surviving and changed mutants, and write the "
        "table of all folders to FILE (Markdown)",
    )
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help=f"N mutants from all folders, weighted by lines, each against the tests listed by `ci/tests_of`, up to "
        f"{OF_A_SAMPLE} CPU-seconds; needs no map; prints a table (Markdown) of killed mutants",
    )
    parser.add_argument(
        "--places",
        type=int,
        metavar="N",
        help="print N random lines from all folders, as places for hand-written mutants",
    )
    parser.add_argument(
        "--planted",
        type=Path,
        metavar="FILE",
        help="hand-written mutants, one JSON line each with path, old, new and subject: run against the tests "
        "listed by `ci/tests_of`, then the other tests that reach the function (without a map, those of the "
        "folder); prints the test that kills each",
    )
    parser.add_argument(
        "--map",
        action="store_true",
        help="run the suite, or the tests WHERE for files without known tests, and record the functions that each "
        "test reaches",
    )
    parser.add_argument("--reach", type=Path, default=MAP, metavar="FOLDER", help=argparse.SUPPRESS)
    return parser.parse_args()


def make_map(tests: list[str]) -> int:
    """Runs tests, or the whole suite, and records the functions reached: in full in `build`, abridged in the tree."""
    if sys.version_info < (3, 12):
        sys.exit("ci/mutants --map: requires sys.monitoring: set PYTHON to Python 3.12 or newer")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "auto",
        "-q",
        "-p",
        "ci.commands.mutation.reach",
        *tests,
    ]
    with tempfile.TemporaryDirectory() as of_some:
        directory = Path(of_some) if tests else MAP
        for old in directory.glob("*.json.gz"):
            old.unlink()
        environment = {**os.environ, "TFMINI_REACH": str(directory), "TFMINI_TIER": "full"}
        done = subprocess.run(command, cwd=ROOT, env=environment)
        if done.returncode in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            renew(Reach(directory), whole=not tests)
    return done.returncode


class Trials:
    """Tries mutants in a copy of the tree and prints the outcomes."""

    def __init__(self, directory: Path, reach: Reach, seconds: float):
        self._copy, self._reach, self._seconds = Copy(ROOT, directory), reach, seconds

    def __call__(self, mutant: Mutant) -> str:
        tests = self._reach.tests_of(mutant, self._seconds)
        limit = 60 + 5 * self._seconds if tests else WHOLE_FILES
        start = time.monotonic()
        outcome = self._copy.run_mutant(mutant, tests or mirrors(ROOT, mutant.path), int(limit))
        took = time.monotonic() - start
        print(f"{outcome:9} {took:5.1f} s {len(tests):4} tests  {mutant}", flush=True)
        return outcome


def choose_mutants(where: str, options: argparse.Namespace) -> Iterable[Mutant]:
    path, _, line = where.partition(":")
    if line:
        return at_line(ROOT, path, int(line))
    return draw(ROOT, where.rstrip("/"), options.seed)


def list_survivors(options: argparse.Namespace, tried: Trials) -> int:
    """Tries some mutants of each place and lists the survivors."""
    outcomes: Counter[str] = Counter()
    survivors = []
    for where in options.where or floors.folders(ROOT):
        mutants = itertools.islice(
            choose_mutants(where, options), None if ":" in where else options.count
        )
        for mutant in mutants:
            outcome = tried(mutant)
            outcomes[outcome] += 1
            if outcome in UNDETECTED:
                survivors.append(f"- {outcome}: `{mutant}`")
    print(f"\n{dict(outcomes)}\n" + "\n".join(survivors))
    return 1 if survivors else 0


def try_sample(options: argparse.Namespace, copy: Copy) -> int:
    """Tries mutants of all folders with the tests nearest to their files; prints a table and the survivors."""
    recorded, equivalent = read(), floors.equivalents()
    planted: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    survivors = []
    folders = options.where or floors.folders(ROOT)
    for mutant in sample(ROOT, folders, options.seed):
        if planted.total() == options.sample:
            break
        if mutant.key((ROOT / mutant.path).read_bytes()) in equivalent:
            continue
        tests = tests_of(mutant.path, recorded)
        outcome = copy.run_mutant(mutant, tests, OF_A_SAMPLE) if tests else NO_COVERAGE
        print(f"{outcome:9} {len(tests):4} tests  {mutant}", file=sys.stderr, flush=True)
        if outcome == SAME:
            continue
        directory = max((f for f in folders if mutant.path.startswith(f)), key=len)
        planted[directory] += 1
        if outcome in UNDETECTED:
            survivors.append(f"- {outcome}: `{mutant}`")
        else:
            killed[directory] += 1
    rows = [
        *((f, planted[f], killed[f]) for f in sorted(planted)),
        ("all", planted.total(), killed.total()),
    ]
    print("| package | planted | killed |\n| --- | ---: | ---: |")
    print(
        *(f"| {directory} | {many} | {of_them} |" for directory, many, of_them in rows),
        "",
        *survivors,
        sep="\n",
    )
    return 1 if survivors else 0


def keep_floors(options: argparse.Namespace, tried: Trials) -> int:
    """Updates the rows of folders and writes the table."""
    rows = floors.rows()
    for directory in options.where or floors.folders(ROOT):
        old = rows.get(directory)
        rows[directory] = floors.renew_row(ROOT, old, directory, options.count, options.seed, tried)
        floors.write(rows)
        options.floors.write_text(floors.report(rows), encoding="utf-8")
    for key in floors.stale(ROOT):
        print("in ci/commands/mutation/equivalent.txt, but no longer a mutant:", *key)
    print(options.floors.read_text(encoding="utf-8"))
    return any(row.score < row.floor for row in rows.values())


def main() -> int:
    options = arguments()
    if options.map:
        return make_map(options.where)
    if options.sample:
        with tempfile.TemporaryDirectory(prefix="mutants") as scratch:
            return try_sample(options, Copy(ROOT, Path(scratch)))
    if options.places:
        folders = options.where or floors.folders(ROOT)
        print(*handwritten.places(ROOT, folders, options.places, options.seed), sep="\n")
        return 0
    if options.planted:
        reach = Reach(options.reach) if options.reach.is_dir() else None
        with tempfile.TemporaryDirectory(prefix="mutants") as scratch:
            return handwritten.try_all(ROOT, options.planted, Copy(ROOT, Path(scratch)), reach)
    try:
        reach = Reach(options.reach)
    except FileNotFoundError as error:
        sys.exit(str(error))
    with tempfile.TemporaryDirectory(prefix="mutants") as scratch:
        tried = Trials(Path(scratch), reach, options.seconds)
        return (keep_floors if options.floors else list_survivors)(options, tried)


if __name__ == "__main__":
    sys.exit(main())
