"""Measures tfmini on 1, 2, 4, 8 and 16 cores, up to this machine's number, and prints a table.

    ci/bench cores                         all workloads, printed only
    ci/bench cores mlp lenet --output F    only these; also appends each row to a file

One process per core count, pinned to that many cores and with as many threads; figures are the minimum of `--rounds`
short alternating passes. The ratio is the time on one core over the time on N cores.
"""

import os
import sys
from pathlib import Path

import numpy as np

from ci.commands.benchmarks.command import make_parser
from ci.commands.benchmarks.report import commit, number, processor
from ci.commands.benchmarks.sides import Side, Worker

COUNTS = (1, 2, 4, 8, 16)
WARM_UP = 5  # steps
OPS = (
    *("reduce_sum_1", "reduce_max_0", "softmax_rows", "elementwise_chain", "gather_rows_100000"),
    *("top_10", "cumsum_rows", "random_normal", "where_choice", "one_hot_rows"),
)
WORKS = ("mlp", "lenet", "static_lstm", "matmul_1024", "data_records", *OPS)


class CoreWorker(Worker):
    """A measuring process pinned to the first cores available to this process."""

    def __init__(self, count: int):
        threads = dict.fromkeys(
            ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BENCH_THREADS"), str(count)
        )
        settings = {**threads, "CUDA_VISIBLE_DEVICES": ""}
        super().__init__(Side(sys.executable, "tfmini", settings=tuple(settings.items())))
        os.sched_setaffinity(self._process.pid, cores()[:count])


def cores() -> list[int]:
    return sorted(os.sched_getaffinity(0))


def counts() -> list[int]:
    """The core counts to measure."""
    return [count for count in COUNTS if count <= len(cores())]


def measure(name: str, workers: list[Worker], rounds: int) -> list[float]:
    """The minimum seconds per step, for each worker."""
    for worker in workers:
        worker.ask(do="prepare", name=name, steps=WARM_UP)
    seconds = [np.inf] * len(workers)
    for _ in range(rounds):
        for index, worker in enumerate(workers):
            seconds[index] = min(seconds[index], worker.ask(do="time", seconds=0.03)["seconds"])
    return seconds


def line(name: str, seconds: list[float]) -> str:
    """A row: the time for each core count, and the speedup over one core."""
    cells = [f"{number(each, 'ms')} ({seconds[0] / each:.2f})" for each in seconds]
    return f"| {name} | {' | '.join(cells)} |"


def summary(times: dict[str, list[float]]) -> str:
    """The geometric mean of the speedups over the ops, for each core count."""
    ratios = np.array([[s[0] / each for each in s] for name, s in times.items() if name in OPS])
    means = np.exp(np.log(ratios).mean(0))
    return f"| {len(ratios)} ops, mean | {' | '.join(f'({mean:.2f})' for mean in means)} |"


def main() -> int:
    parser = make_parser("ci/bench cores", __doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(WORKS)}")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path, help="output file of the table, written row by row")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(WORKS):
        parser.error(f"no such work: {', '.join(sorted(unknown))}")
    workers = [CoreWorker(count) for count in counts()]
    times, failed = {}, False
    with open(arguments.output or os.devnull, "w", encoding="utf-8") as table:

        def say(text: str, one_op: bool = False) -> None:
            """Prints to the table; ops go to standard output only if there is no table."""
            for stream in (table,) if one_op and arguments.output else (sys.stdout, table):
                print(text, file=stream, flush=True)

        print(f"# Speed by cores\n\n{processor()}; commit {commit()}\n", file=table)
        say(f"| work | {' | '.join(f'{count} cores' for count in counts())} |")
        say(f"| --- |{' --- |' * len(workers)}")
        for name in arguments.names or WORKS:
            try:
                times[name] = measure(name, workers, arguments.rounds)
                say(line(name, times[name]), name in OPS)
            except RuntimeError as error:
                failed = True
                print(f"{name}: {str(error).strip().splitlines()[-1][:200]}", flush=True)
                for worker in workers:
                    worker.__exit__()
                workers = [CoreWorker(count) for count in counts()]
        if set(OPS) & set(times):
            say(summary(times))
    for worker in workers:
        worker.__exit__()
    return int(failed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
