"""Measures public functions, called as in TensorFlow's own tests, against TensorFlow 1.15.5.

    ci/bench calls                  a sample of all functions
    ci/bench calls tf.image         functions whose names contain this

Each call runs twice: with its recorded arguments, and with arrays repeated along their first axis, unless one of the
sides refuses these. The rows where tfmini is slower are printed, then the geometric means. Calls whose constants one
side folds and the other does not are left out.
"""

import random
import sys

from ci.commands.benchmarks.__main__ import reference
from ci.commands.benchmarks.call_workloads import calls
from ci.commands.benchmarks.command import make_parser
from ci.commands.benchmarks.sides import Side, Worker
from ci.commands.benchmarks.sweep import SLOWER, line, measure, summary


def main() -> int:
    parser = make_parser("ci/bench calls", __doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="parts of function names")
    parser.add_argument("--sample", type=int, default=300, help="number of calls (300)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--elements", type=int, default=200_000, help="of repeated arrays")
    parser.add_argument("--rounds", type=int, default=6)
    arguments = parser.parse_args()
    python = reference()
    if not python:
        parser.error("no TensorFlow 1.15.5 (TFMINI_REFERENCE, ci/reference)")
    chosen = {
        key: function
        for key, (function, _) in calls().items()
        if not arguments.parts or any(part in function for part in arguments.parts)
    }
    sample = random.Random(arguments.seed).sample(sorted(chosen), len(chosen))[: arguments.sample]
    sides = [Side(sys.executable, "tfmini"), Side(python, "tensorflow")]
    workers = [Worker(side) for side in sides]
    results, refused = [], 0
    for key in sample:
        for elements in (0, arguments.elements):
            try:
                ours, theirs = measure([key, elements], workers, arguments.rounds)
            except RuntimeError:
                refused += 1
                for worker in workers:
                    worker.__exit__()
                workers = [Worker(side) for side in sides]
                continue
            results.append((ours, theirs))
            if ours["cpu"] > SLOWER * theirs["cpu"]:
                size = f"{elements} elements" if elements else "recorded"
                print(line(f"{chosen[key]} {key} {size}", ours, theirs), flush=True)
    for worker in workers:
        worker.__exit__()
    print(summary(results), f"{refused} refused or not comparable.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
