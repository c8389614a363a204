"""Measures tfmini on this machine's GPU against PyTorch, JAX and the GPU itself, and prints a table.

    ci/bench gpu              all rows; writes the table to ci/results/bench_gpu.md
    ci/bench gpu mlp chain    rows of a group (mlp, rates, networks, lstms, compile) or containing a word, printed only
    ci/bench gpu --probe      also measures the GPU and CuPy: two or three minutes (ci/commands/benchmarks/probe.py)

The sides measure alternately, in separate processes, on an otherwise idle GPU. TF32 is off except in rows marked "on".
Host time ends when the calls of a step return, wall time when the GPU has completed it. "-" marks a side that is not
installed; without a GPU, only the rows that need none are measured. BENCH_LIMIT is the maximum duration of one
measurement in seconds (300), BENCH_SECONDS the time over which it repeats its steps (1).
"""

import argparse
import datetime
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from ci.commands.benchmarks.command import make_parser
from ci.commands.benchmarks.gpu_processes import Processes
from ci.commands.benchmarks.gpu_rows import ROWS, Outcome, Row
from ci.commands.benchmarks.report import commit
from ci.commands.benchmarks.sides import ROOT

RESULTS = ROOT / "ci" / "results"
HEADER = """\
| work | tfmini: host / wall us | peers: host / wall us: ratio |
| --- | --- | --- |
"""
ABOUT = (
    "Medians of five rounds, host time until the calls of a step return, wall time until the GPU has completed it. "
    "The ratio is tfmini's wall time over the peer's."
)
PACKAGES = (
    "numpy",
    "cupy-cuda12x",
    "cupy-cuda13x",
    "torch",
    "jax",
    "nvidia-cudnn-cu13",
    "nvidia-nccl-cu13",
)


def card() -> str:
    """The GPU's name and driver; "" if nvidia-smi finds none."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip().split("\n")[0] if done.returncode == 0 else ""


def outcome(row: Row, has_card: bool, processes: Processes) -> Outcome:
    """Measures a row, then its peers, so that the GPU is equally warm for both."""
    if row.needs_card and not has_card:
        return Outcome(row, {"missing": "no GPU"}, tuple({} for _ in row.peers))
    ours = processes.measured(row.ours, row.environment)
    theirs = tuple(processes.measured(peer.work, {}) for peer in row.peers)
    for name, side in zip((row.ours, *(peer.work for peer in row.peers)), (ours, *theirs)):
        if "missing" in side:
            print(f"{name}: {side['missing']}", file=sys.stderr, flush=True)
    return Outcome(row, ours, theirs)


def versions() -> str:
    """Versions of the relevant installed libraries."""
    descriptions = []
    for name in PACKAGES:
        try:
            descriptions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(descriptions)


def heading(device: str) -> str:
    """The report as Markdown, up to its rows."""
    lines = [
        f"- date: {datetime.date.today()}",
        f"- device: {device or 'no GPU: rows that need one are missing'}",
        f"- tfmini: commit {os.environ.get('COMMIT') or commit()}, Python {sys.version.split()[0]}; {versions()}",
    ]
    return "# Speed on the GPU\n\n" + "\n".join(lines) + f"\n\n{ABOUT}\n\n{HEADER}"


def probe() -> None:
    """Measures the GPU and CuPy, to plan kernels."""
    command = [sys.executable, "-W", "ignore", "-m", "ci.commands.benchmarks.probe"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    path = RESULTS / "probe.txt"
    path.write_text(f"{card()}, commit {os.environ.get('COMMIT') or commit()}\n\n{done.stdout}")
    print(f"written: {path}")
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)


def options() -> argparse.Namespace:
    parser = make_parser("ci/bench gpu", __doc__)
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="groups, or parts of row names (all)"
    )
    parser.add_argument("--probe", action="store_true", help="also run the probe")
    parser.add_argument("--output", type=Path, help="output file of the table, written row by row")
    return parser.parse_args()


def main() -> int:
    arguments = options()
    words = [word.lower() for word in arguments.words]
    rows = [r for r in ROWS if not words or any(w == r.group or w in r.work.lower() for w in words)]
    if not rows:
        print(f"ci/bench gpu: no row matches {' or '.join(words)}", file=sys.stderr)
        return 2
    device = card()
    if device and arguments.probe:
        probe()
    output = arguments.output
    if device and not words and not output:
        output = RESULTS / "bench_gpu.md"
    results: list[Outcome] = []
    with Processes() as processes, open(output or os.devnull, "w", encoding="utf-8") as table:
        table.write(heading(device))
        try:
            for row in rows:
                results.append(outcome(row, bool(device), processes))
                for stream in (sys.stdout, table):
                    print(results[-1].line(), file=stream, flush=True)
        except KeyboardInterrupt:
            print(f"stopped: {len(results)} rows of {len(rows)}", flush=True)
            return 130
    failed = sum("failed" in side for o in results for side in (o.ours, *o.theirs))
    behind = sum(False in o.reached for o in results)
    print(f"{len(results)} rows, {behind} below target, {failed} measurements failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
