"""Runs TensorFlow 1.15's own tests on tfmini, as programs under its runner, and prints figures by area.

    ci/soak tensorflow_tests --from DIR                      all files; also writes the figures to ci/results/
    ci/soak tensorflow_tests --from DIR --files 'ops/*'      some of them, printed only
    ci/soak tensorflow_tests --from DIR --areas rnn,framework --failed 20
    ci/soak tensorflow_tests --from DIR --eager ...          includes eager halves and files that enable eager mode
    ci/soak tensorflow_tests --from DIR --reference PYTHON   on TensorFlow 1.15.5: records the tests that count

DIR contains tensorflow/python (also tensorflow/contrib/eager for its tests, and tensorflow/core/lib for tests that read
images) of TensorFlow's sources, v1.15.2 or a later 1.15 release:

    git clone --depth 1 --branch v1.15.5 https://github.com/tensorflow/tensorflow DIR

Each file runs in a separate process. Test output goes to --log.
"""

from __future__ import annotations

import argparse
import datetime
import fnmatch
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ci.commands.benchmarks.report import commit, processor
from ci.commands.upstream import counting, report

ROOT = Path(__file__).resolve().parents[3]
WORKER = Path(__file__).with_name("worker.py")


def run(
    command: Sequence[str], arguments: argparse.Namespace, names: Sequence[str], output: Path
) -> None:
    """Runs the files in a worker, which writes one line per test to `output`."""
    environment = {
        **os.environ,
        "CUDA_VISIBLE_DEVICES": "",
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONWARNINGS": "ignore",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    options = ["--sources", str(Path(arguments.sources).resolve()), "--output", str(output)]
    options += ["--limit", str(arguments.limit)]
    if arguments.eager:
        options.append("--eager")
    with open(arguments.log, "w", encoding="utf-8") as log:
        worker = subprocess.Popen(
            [*command, str(WORKER), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment,
            cwd=ROOT,
        )
        assert worker.stdin is not None and worker.stdout is not None
        worker.stdin.write("\n".join(names))
        worker.stdin.close()
        done = 0
        for line in worker.stdout:
            if line.split("\t")[0] in names:  # tests print too
                done += 1
                print(f"\r\033[K{done}/{len(names)} {line.strip()}", end="", file=sys.stderr)
        print(file=sys.stderr)
    if worker.wait():
        raise SystemExit(f"the worker ended with {worker.returncode}: see {arguments.log}")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="ci/soak tensorflow_tests",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--from", dest="sources", metavar="DIR", required=True)
    parser.add_argument(
        "--files", metavar="PATTERNS", help="comma-separated path patterns below tensorflow/python"
    )
    parser.add_argument("--areas", help="comma-separated areas of the file table")
    parser.add_argument("--eager", action="store_true", help="also run the eager-mode tests")
    parser.add_argument(
        "--failed", type=int, default=0, metavar="N", help="print the N most frequent messages"
    )
    parser.add_argument(
        "--limit", type=float, default=240, metavar="SECONDS", help="time limit per file"
    )
    parser.add_argument("--log", default=os.devnull, help="log file of test output")
    parser.add_argument("--reference", metavar="PYTHON", help="a Python 3.7 with TensorFlow 1.15.5")
    arguments = parser.parse_args()
    if not (Path(arguments.sources) / "tensorflow" / "python").is_dir():
        parser.error(f"{arguments.sources} contains no folder tensorflow/python")
    files = choose_files(arguments)
    if not files:
        parser.error("no file in ci/commands/upstream/files.tsv matches")
    output = Path(tempfile.mkdtemp(prefix="tensorflow_tests_")) / "outcomes.jsonl"
    output.touch()
    tfmini = [sys.executable, "-W", "ignore", "-m", "tfmini", "run"]
    command = [arguments.reference] if arguments.reference else tfmini
    run(command, arguments, [file.name for file in files], output)
    outcomes = counting.read_outcomes(output)
    if arguments.reference:
        counting.write_tables(counted_tables(arguments), outcomes)
        return 0
    print(report.by_area(files, outcomes))
    if arguments.failed:
        print(
            report.by_file(files, outcomes),
            report.messages(files, outcomes, arguments.failed),
            sep="\n\n",
        )
    if not (arguments.files or arguments.areas):
        write_results(files, outcomes, arguments.eager)
    return 0


def counted_tables(arguments: argparse.Namespace) -> counting.Tables:
    """The counted tests, in graph mode only or in both modes."""
    return counting.EAGER if arguments.eager else counting.GRAPHS


def choose_files(arguments: argparse.Namespace) -> list[counting.FileOfTests]:
    """The requested files of the table."""
    patterns = (arguments.files or "*").split(",")
    areas = arguments.areas.split(",") if arguments.areas else None
    return [
        file
        for file in counting.read_files(counted_tables(arguments))
        if (areas is None or file.area in areas)
        and any(fnmatch.fnmatch(file.name, pattern) for pattern in patterns)
    ]


def write_results(
    files: list[counting.FileOfTests], outcomes: dict[str, counting.Outcomes], eager: bool
) -> None:
    """Writes the figures to ci/results/."""
    name, command, where = "tensorflow_tests", "ci/soak tensorflow_tests", "in graphs"
    if eager:
        name, command, where = "eager_tests", f"{command} --eager", "in the modes it is written for"
    today = datetime.date.today().isoformat()
    path = ROOT / "ci" / "results" / f"{name}.md"
    path.write_text(
        f"""\
# TensorFlow 1.15's own tests on tfmini

`{command}` at {commit()}, {today}, Python {sys.version.split()[0]}, {processor()}. Of each file the tests
count that TensorFlow 1.15.5 passes {where} without private attributes. Those that wait ended at a name that
tfmini lacks and says so. Areas in bold are held to 97 %.

{report.by_area(files, outcomes)}

## Files that do not pass whole

{report.by_file(files, outcomes)}
""",
        encoding="utf-8",
    )
    print(f"written to {path.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(main())
