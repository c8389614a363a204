"""Runs the fault tests of clusters (tests/cluster/faults) for longer and prints the results.

ci/soak faults [TIMES]              TIMES (default 67) times the tests' attempts: 150 mutated messages each
ci/soak faults --kills 500          kills and stops of a training cluster's tasks
ci/soak faults --kills 20 --seed 7  kills and stops at other moments
ci/soak faults --census [PYTHON]    kills each task of an Estimator cluster under `tfmini launch`; PYTHON runs one
                                    worker on TensorFlow
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from tests.cluster.faults import census_kills, random_faults  # noqa: E402


def run_tests(times: int) -> int:
    """Runs the tests with `times` times the attempts, prints a report, and returns pytest's exit status."""
    start = time.time()
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--durations=0", "-rP", "tests/cluster/faults"],
        cwd=ROOT,
        env={**os.environ, "TFMINI_FAULTS": str(times), "TFMINI_TIER": "full"},
        capture_output=True,
        text=True,
    )
    if result.returncode:
        print(result.stdout)
        return result.returncode
    print(
        f"{os.cpu_count()} cores, {times * 150} mutated messages, {times * 20} connections of random bytes, "
        f"{times * 150} sessions; {time.time() - start:.0f} s"
    )
    for line in result.stdout.splitlines():
        if " call " in line or "passed" in line or line.startswith("memory"):
            print(line)
    return 0


def main():
    parser = argparse.ArgumentParser(
        prog="ci/soak faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("times", type=int, nargs="?", default=67)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--census", nargs="?", const="", metavar="PYTHON")
    arguments = parser.parse_args()
    if arguments.kills is not None:
        return random_faults.main(arguments.kills, arguments.seed)
    if arguments.census is not None:
        print(census_kills.run(arguments.census))
        return 0
    return run_tests(arguments.times)


if __name__ == "__main__":
    sys.exit(main())
