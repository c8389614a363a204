"""Measures tfmini against TensorFlow 1.15.5, PyTorch, JAX and plain NumPy on the CPU, and prints a table.

    ci/bench peers                  all workloads; writes the table to ci/results/peers.md
    ci/bench peers mlp --rounds 5   only these, printed only

Each side runs with two threads in a separate process; they measure alternately. tfmini runs with and without its native
kernels. PEERS_PYTHON names a Python with PyTorch and JAX, if this one lacks them; missing ones show "-".
"""

import contextlib
import datetime
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from ci.commands.benchmarks.__main__ import in_turn, reference
from ci.commands.benchmarks.command import make_parser
from ci.commands.benchmarks.report import commit, number, processor
from ci.commands.benchmarks.rows import ROWS
from ci.commands.benchmarks.sides import ROOT, Side, Worker

# Workload -> target ratio of the time to TensorFlow's.
TARGETS = {
    "chain_1000": 0.1,
    "softmax": 0.15,
    "mlp": 0.45,
    "embedding": 0.33,
    "word_vectors": 0.33,
    "lenet": 0.37,
    "conv_layers": 0.35,
    "static_lstm": 0.33,
    "dynamic_lstm": 0.35,
    "matmul_1024": 0.85,
    "elementwise_chain": 0.35,
    "softmax_rows": 0.3,
    "reduce_max_1": 0.6,
    "reduce_sum_1": 0.6,
    "eager_adds": 1.0,
    "eager_mlp": 0.8,
}
PEER_WORKER = "ci.commands.benchmarks.peer_worker"


def sides() -> dict[str, Side]:
    """The table's columns: the installed sides."""
    peers = os.environ.get("PEERS_PYTHON", sys.executable)
    columns = {
        "tfmini": Side(sys.executable, "tfmini"),
        "without native kernels": Side(
            sys.executable, "tfmini", settings=(("TFMINI_NATIVE", "0"),)
        ),
    }
    if python := reference():
        columns["TensorFlow 1.15.5"] = Side(python, "tensorflow")
    for title, python, module, settings in (
        ("plain NumPy", sys.executable, "numpy", ()),
        ("PyTorch", peers, "torch", ()),
        ("torch.compile", peers, "torch", (("TORCH_COMPILE", "1"),)),
        ("JAX", peers, "jax", ()),
    ):
        side = Side(python, module, PEER_WORKER, settings)
        with contextlib.suppress(subprocess.CalledProcessError):
            columns[f"{title} {side.version(module)}"] = side
    return columns


def measure(workload: str, columns: dict[str, Side], rounds: int) -> dict[str, list[float]]:
    """Seconds per step in each round; empty for a side without this workload."""
    seconds: dict[str, list[float]] = {}
    with contextlib.ExitStack() as stack:
        workers, probes = {}, {}
        for title, side in columns.items():
            worker = stack.enter_context(Worker(side))
            try:
                probes[title] = worker.ask(do="prepare", name=workload)["probe"]
                workers[title] = worker
            except RuntimeError as error:
                print(f"{title}: {str(error).strip().splitlines()[-1]}", file=sys.stderr)
        first = next(iter(probes.values()))
        if any(abs(probe - first) > 1e-2 * abs(first) for probe in probes.values()):
            raise RuntimeError(f"{workload}: the sides disagree: {probes}")
        titles = list(workers)
        for number_ in range(rounds):
            for index in in_turn(number_, titles):
                answer = workers[titles[index]].ask(do="time", seconds=0.3)
                seconds.setdefault(titles[index], []).append(answer["seconds"])
    return seconds


def line(workload: str, titles: list[str], seconds: dict[str, list[float]]) -> str:
    """A row: the time of each side and its ratio to TensorFlow's; medians."""
    row = next(r for r in ROWS if r.workload == workload)
    theirs = seconds.get("TensorFlow 1.15.5")
    cells = []
    for title in titles:
        if title not in seconds:
            cells.append("-")
            continue
        text = number(median(seconds[title]), row.unit)
        if theirs and title != "TensorFlow 1.15.5":
            ratio = median(a / b for a, b in zip(seconds[title], theirs))
            text += f" ({ratio:.2f})"
        cells.append(text)
    return f"| {row.work} | {' | '.join(cells)} | {TARGETS[workload]:g} |"


def main() -> int:
    parser = make_parser("ci/bench peers", __doc__)
    parser.add_argument("names", nargs="*", choices=[*TARGETS, []], metavar="NAME")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--output", type=Path, help="output file of the table")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    columns = sides()
    titles = list(columns)
    rows = [
        f"| work | {' | '.join(titles)} | target |",
        f"| --- |{' --- |' * len(titles)} --- |",
    ]
    for workload in arguments.names or TARGETS:
        seconds = measure(workload, columns, arguments.rounds)
        rows.append(line(workload, titles, seconds))
        print(rows[-1], flush=True)
    text = (
        f"# Comparison with peers on the CPU\n\n- date: {datetime.date.today()}\n"
        f"- machine: {processor()}; two threads for each; load average {load:.1f} at the start\n"
        f"- tfmini: commit {commit()}\n\nMedians of {arguments.rounds} alternating rounds; the ratio to "
        "TensorFlow's time in parentheses.\n\n" + "\n".join(rows) + "\n"
    )
    output = arguments.output
    if not (arguments.names or output):
        output = ROOT / "ci" / "results" / "peers.md"
    if output:
        output.write_text(text, encoding="utf-8")
        print(f"written: {output}")
    else:
        print("\n" + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
