"""Measures common ops and layers, at two sizes and with gradients, against TensorFlow 1.15.5, and prints ratios.

    ci/bench sweep                  all cases; writes the table to ci/results/sweep.md
    ci/bench sweep regex "mod,"     cases whose names contain one of these, printed only

The sides measure alternately, in passes short enough for some to be undisturbed by other load: the figures are the
minimum over all passes, of wall time and of the CPU time of all threads.
"""

import os
import sys
from pathlib import Path

import numpy as np

from ci.commands.benchmarks.__main__ import in_turn, reference
from ci.commands.benchmarks.command import make_parser
from ci.commands.benchmarks.report import number, place
from ci.commands.benchmarks.sides import ROOT, Side, Worker
from ci.commands.benchmarks.sweep_workloads import SWEEP

SLOWER = 1.05
COLUMNS = ("seconds", "cpu")


def measure(name: object, workers: list[Worker], rounds: int) -> list[dict[str, float]]:
    """The minimum wall and CPU time of a step, for each side."""
    probes = [worker.ask(do="prepare", name=name)["probe"] for worker in workers]
    if not np.allclose(probes[0], probes[-1], 1e-3, equal_nan=True):
        raise RuntimeError(f"the sides disagree: {probes}")
    answers: list[list[dict[str, float]]] = [[] for _ in workers]
    for round_ in range(rounds):
        for side in in_turn(round_, workers):
            answers[side].append(workers[side].ask(do="time", seconds=0.01))
    return [{column: min(a[column] for a in side) for column in COLUMNS} for side in answers]


def line(name: str, ours: dict[str, float], theirs: dict[str, float]) -> str:
    """A row: times of both sides, the ratios of wall and CPU times."""
    ratios = [f"{ours[column] / theirs[column]:.2f}" for column in COLUMNS]
    times = [number(side["seconds"], "us") for side in (ours, theirs)]
    return f"| {name} | {' | '.join(times + ratios)} |"


def summary(results: list[tuple[dict[str, float], dict[str, float]]]) -> str:
    """The geometric means, and the number of cases slower than TensorFlow."""
    said = []
    for column, title in zip(COLUMNS, ("Wall time", "CPU time")):
        ratios = np.array([ours[column] / theirs[column] for ours, theirs in results])
        mean, slower = np.exp(np.log(ratios).mean()), (ratios > SLOWER).sum()
        said.append(f"{title}: geometric mean {mean:.2f}, {slower} above {SLOWER}")
    return f"{len(results)} cases. " + "; ".join(said) + "."


def main() -> int:
    parser = make_parser("ci/bench sweep", __doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="patterns of case names")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--output", type=Path, help="output file of the table")
    arguments = parser.parse_args()
    python = reference()
    if not python:
        parser.error("no TensorFlow 1.15.5 (TFMINI_REFERENCE, ci/reference)")
    sides = [Side(sys.executable, "tfmini"), Side(python, "tensorflow")]
    load, results, failed = os.getloadavg()[0], [], []
    rows = ["| case | tfmini | TensorFlow | ratio | CPU time ratio |", "| --- |" + " --- |" * 4]
    workers = [Worker(side) for side in sides]
    for name in SWEEP:
        if arguments.parts and not any(part in name for part in arguments.parts):
            continue
        try:
            results.append(tuple(measure(name, workers, arguments.rounds)))
            rows.append(line(name, *results[-1]))
            print(rows[-1], flush=True)
        except RuntimeError as error:
            failed.append(f"{name}: {str(error).strip().splitlines()[-1][:200]}")
            print(failed[-1], file=sys.stderr, flush=True)
            for worker in workers:
                worker.__exit__()
            workers = [Worker(side) for side in sides]
    for worker in workers:
        worker.__exit__()
    text = "\n".join(
        [
            "# Sweep of ops and layers on the CPU\n",
            place(*sides, load),
            summary(results),
            "",
            *rows,
            *failed,
            "",
        ]
    )
    output = arguments.output
    if not (arguments.parts or output):
        output = ROOT / "ci" / "results" / "sweep.md"
    if output:
        output.write_text(text, encoding="utf-8")
    print(summary(results))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
