"""`ci/mutants`: see --help."""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import google.protobuf.descriptor_pb2  # noqa: F401 - what a trial needs and no mutant changes
import ml_dtypes  # noqa: F401
import numpy  # noqa: F401
import scipy.special  # noqa: F401

from ci.mutation.choosing import Reach, at_line, sample
from ci.mutation.operators import OPERATORS, Mutant
from ci.mutation.trial import LIVES, UNREACHED, Copy

ROOT = Path(__file__).resolve().parents[2]
MAP = ROOT / "build" / "reach"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ci/mutants",
        description="Plants small mistakes in tfmini, each in a copy of the tree, runs the tests that reach "
        f"it there and lists those that no test finds. A mistake is one of: {', '.join(OPERATORS)}.",
        epilog="The map of which test reaches which function comes first: ci/mutants --map runs the suite "
        "once for it. Exit status: 1 if a mutant lives.",
    )
    parser.add_argument(
        "where",
        nargs="*",
        metavar="WHERE",
        help="folders or files of tfmini, or PATH:LINE for all mutants of a line; each folder unless given",
    )
    parser.add_argument("--count", type=int, default=10, help="mutants a folder (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn (%(default)s)")
    parser.add_argument(
        "--seconds",
        type=float,
        default=10,
        metavar="S",
        help="run tests that took S seconds together when the map was made, the nearest first (%(default)s)",
    )
    parser.add_argument(
        "--result", type=Path, metavar="FILE", help="append a table to FILE (Markdown)"
    )
    parser.add_argument(
        "--map", action="store_true", help="run the suite and note what each test reaches"
    )
    parser.add_argument("--reach", type=Path, default=MAP, metavar="FOLDER", help=argparse.SUPPRESS)
    return parser.parse_args()


def make_map() -> int:
    command = [sys.executable, "-m", "pytest", "-n", "auto", "-q", "-p", "ci.mutation.reach"]
    for old in MAP.glob("*.json.gz"):
        old.unlink()
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, "TFMINI_REACH": str(MAP)}
    ).returncode


def chosen(where: str, options: argparse.Namespace) -> list[Mutant]:
    path, _, line = where.partition(":")
    if line:
        return at_line(ROOT, path, int(line))
    return sample(ROOT, where.rstrip("/"), options.count, options.seed)


def folders() -> list[str]:
    entries = sorted((ROOT / "tfmini").iterdir())
    return [str(e.relative_to(ROOT)) for e in entries if e.is_dir() and any(e.rglob("[a-z]*.py"))]


def table(outcomes: dict[str, Counter]) -> str:
    rows = ["| folder | planted | killed | score |", "| --- | --- | --- | --- |"]
    for where, counts in [*outcomes.items(), ("all", sum(outcomes.values(), Counter()))]:
        planted = counts.total()
        killed = planted - counts[LIVES] - counts[UNREACHED]
        rows.append(f"| {where} | {planted} | {killed} | {killed / max(1, planted):.0%} |")
    return "\n".join(rows)


def main() -> int:
    options = arguments()
    if options.map:
        return make_map()
    try:
        reach = Reach(options.reach)
    except FileNotFoundError as error:
        sys.exit(str(error))
    outcomes: dict[str, Counter] = {}
    living: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mutants") as scratch:
        copy = Copy(ROOT, Path(scratch))
        for where in options.where or folders():
            counts = outcomes.setdefault(where, Counter())
            for mutant in chosen(where, options):
                tests = reach.tests_of(mutant, options.seconds)
                outcome = copy.tried(mutant, tests, int(60 + 5 * options.seconds))
                counts[outcome] += 1
                print(f"{outcome:9} {len(tests):4} tests  {mutant}", flush=True)
                if outcome in (LIVES, UNREACHED):
                    living.append(f"- {outcome}: `{mutant}`")
    report = table(outcomes)
    print(f"\n{report}\n\n" + "\n".join(living))
    if options.result:
        head = f"## {datetime.date.today()}, seed {options.seed}, {options.count} a folder\n"
        with open(options.result, "a") as file:
            file.write(f"\n{head}\n{report}\n\n" + "\n".join([*living, ""]))
    return 1 if living else 0


if __name__ == "__main__":
    sys.exit(main())
