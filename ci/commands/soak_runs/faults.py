"""The long form of tests/cluster/faults: many more messages, connections and sessions; results go to ci/results.

ci/soak faults [TIMES]              TIMES (67) as many attempts as the tests: 10,000 mutated messages
ci/soak faults --kills 500          this many kills and stops of a training cluster's tasks; prints the figures
ci/soak faults --kills 20 --seed 7  at other moments
ci/soak faults --census [PYTHON]    an Estimator under `tfmini launch`, each of whose tasks is killed; with PYTHON, one
                                    worker runs TensorFlow
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from tests.cluster.faults import census_kills, random_faults  # noqa: E402


def many_times(times):
    """Runs the tests with `times` as many attempts, and writes their output."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    start = time.time()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--durations=0", "-rP", "tests/cluster/faults"],
        cwd=ROOT,
        env={**os.environ, "TFMINI_FAULTS": str(times), "TFMINI_TIER": "full"},
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    failed = [
        line for line in lines if " call " in line or "passed" in line or line.startswith("memory")
    ]
    failed += [line for line in lines if line.startswith("FAILED")]
    text = "\n".join(
        [
            f"# Faults, {time.strftime('%Y-%m-%d')}, commit {commit}, Python {platform.python_version()}",
            "",
            f"{os.cpu_count()} cores, {times * 150} mutated messages, {times * 20} connections of random bytes, "
            f"{150 * times} sessions; {time.time() - start:.0f} s.",
            "",
            "```",
            *failed,
            "```",
            "",
        ]
    )
    file = ROOT / "ci" / "results" / "faults.md"
    file.write_text(text, encoding="utf-8")
    print(text if done.returncode == 0 else done.stdout)
    return done.returncode


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
    return many_times(arguments.times)


if __name__ == "__main__":
    sys.exit(main())
