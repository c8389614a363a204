"""Measures tfmini and TensorFlow 1.15.5 alternately and prints a table.

    ci/bench                      all workloads; also writes the table to ci/results/
    ci/bench mlp lstm             only these, printed only
    ci/bench --rounds 5           fewer rounds: faster, less accurate

Each side runs with two threads in a separate process. The sides measure alternately, so that other load affects both;
still, keep the machine idle: a BLAS whose second thread waits for a core is ten times slower. Without a reference,
prints tfmini's figures only.
"""

import argparse
import contextlib
import os
import subprocess
import sys
from pathlib import Path

from ci.commands.benchmarks import report
from ci.commands.benchmarks.command import make_parser
from ci.commands.benchmarks.networks import NETWORKS
from ci.commands.benchmarks.rows import ROWS, WORKLOADS, Outcome
from ci.commands.benchmarks.sides import ROOT, Side, Worker

# Workloads that measure themselves, with their number of rounds: as few as yield
# a stable figure, since each takes seconds.
ONCE = {
    "estimator_mlp": 5,
    "keras_mlp": 5,
    "keras_lstm": 5,
    "keras_adds": 3,
    "lstm": 5,
    "embedding_growth": 1,
    "leak": 1,
    "large_graph": 3,
    "meta_graph": 3,
    "checkpoint": 3,
    "checkpoint_open": 3,
    "threads": 1,
    "watched": 3,
    "data_million": 1,
    "dynamic_lstm_memory": 1,
    "loop_leak": 1,
    **{f"{name}_memory{kernels}": 1 for name in NETWORKS for kernels in ("", "_onednn")},
}

Figures = list[dict[str, float]]


def in_turn(round_index: int, sides: list) -> list[int]:
    """The order of the sides in a round: starts with the previous round's last side."""
    order = list(range(len(sides)))
    return order[::-1] if round_index % 2 else order


def measure_hello(sides: list[Side], rounds: int) -> list[Figures]:
    """Whole processes in sequence; the first of each warms the disk cache."""
    for side in sides:
        side.hello()
    figures: list[Figures] = [[] for _ in sides]
    for round_index in range(rounds):
        for index in in_turn(round_index, sides):
            figures[index].append(sides[index].hello())
    return figures


def measure(workload: str, sides: list[Side], rounds: int, seconds: float) -> list[Figures]:
    """The figures of one workload: each side's result per round."""
    if workload == "hello":
        return measure_hello(sides, rounds)
    figures: list[Figures] = [[] for _ in sides]
    with contextlib.ExitStack() as stack:
        onednn = workload.endswith("_onednn")
        workers = [stack.enter_context(Worker(side, onednn)) for side in sides]
        request: dict = {"do": "time", "seconds": seconds}
        probes = []
        if workload in ONCE:
            request = {"do": "once", "name": workload}
            rounds = min(rounds, ONCE[workload])
        else:
            probes = [worker.ask(do="prepare", name=workload)["probe"] for worker in workers]
        for round_index in range(rounds):
            for index in in_turn(round_index, sides):
                figures[index].append(workers[index].ask(**request))
        probes = probes or [rows[0].get("check", 0.0) for rows in figures]
        if abs(probes[0] - probes[-1]) > 1e-3 * abs(probes[-1]):
            raise RuntimeError(f"the sides disagree: {probes[0]} and {probes[-1]}")
    return figures


def outcomes(workload: str, sides: list[Side], rounds: int, seconds: float) -> list[Outcome]:
    """The rows of one workload; a failed workload reports its error in them."""
    rows = [row for row in ROWS if row.workload == workload]
    try:
        figures = measure(workload, sides, rounds, seconds)
    except (RuntimeError, subprocess.CalledProcessError) as error:
        print(f"{workload}: {error}", file=sys.stderr)
        reason = "failed: " + str(error).strip().splitlines()[-1][:80]
        return [Outcome(row, [], [], reason) for row in rows]
    results = []
    for row in rows:
        columns = [[round_[row.metric] for round_ in side] for side in figures]
        results.append(Outcome(row, columns[0], columns[1] if len(columns) > 1 else []))
    return results


def reference() -> str | None:
    """The Python of TensorFlow 1.15.5: TFMINI_REFERENCE, or the one installed by ci/reference."""
    installed = ROOT / ".reference" / "bin" / "python"
    return os.environ.get("TFMINI_REFERENCE") or (str(installed) if installed.exists() else None)


def options() -> argparse.Namespace:
    parser = make_parser("ci/bench", __doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(WORKLOADS)}")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each workload (15)")
    parser.add_argument("--seconds", type=float, default=0.3, help="duration of one round (0.3)")
    parser.add_argument("--reference", default=reference(), help="a Python with TensorFlow 1.15.5")
    parser.add_argument("--output", type=Path, help="output file of the table")
    parser.add_argument("--module", default="tfmini", help=argparse.SUPPRESS)
    parser.add_argument("--python", default=sys.executable, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(WORKLOADS):
        parser.error(f"no such workload: {', '.join(sorted(unknown))}")
    return arguments


def main() -> int:
    arguments = options()
    ours = Side(arguments.python, arguments.module)
    theirs = Side(arguments.reference, "tensorflow") if arguments.reference else None
    if not theirs:
        print(
            "no TensorFlow 1.15.5 (TFMINI_REFERENCE, ci/reference): measuring tfmini only",
            file=sys.stderr,
        )
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"other load on this machine ( {load:.1f}): expect noise", file=sys.stderr)
    sides = [ours, theirs] if theirs else [ours]
    results = []
    for workload in arguments.names or WORKLOADS:
        for outcome in outcomes(workload, sides, arguments.rounds, arguments.seconds):
            print(report.line(outcome), flush=True)
            results.append(outcome)
    text = report.document(results, ours, theirs, load)
    output = arguments.output
    if not arguments.names and theirs and not output:
        output = ROOT / "ci" / "results" / "cpu.md"
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
        print(f"written: {output}")
    else:
        print("\n" + text)
    return int(any(outcome.note for outcome in results))


if __name__ == "__main__":
    sys.exit(main())
