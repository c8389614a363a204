"""Measures tfmini on this machine's card beside PyTorch, JAX and the card itself, and prints a table.

    ci/bench gpu            every row; the table goes to ci/results/bench-gpu-<date>.md
    ci/bench gpu mlp chain  the rows whose work has one of these words, printed only
    ci/bench gpu --probe    also what a card and CuPy are good for (ci/benchmarks/probe.py)

Each measurement is a process of its own, on an otherwise idle card; TF32 is off everywhere. Host time
is until the calls of a step return, wall time until the card is done with it. A side that is not
installed has "-"; without a card only the rows that need none are measured. The first time that there
is a card, the probe runs by itself, and what it prints is kept in ci/results/probe-<date>.txt.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

from ci.benchmarks.gpu_rows import ROWS, Outcome, Row
from ci.benchmarks.report import commit
from ci.benchmarks.sides import ROOT

RESULTS = ROOT / "ci" / "results"
HEADER = """\
| work; beside | tfmini host us | tfmini wall us | other host us | other wall us | ratio | to reach | reached |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
LONGEST = 300  # seconds of one measurement


def card() -> str:
    """The card's name and its driver, or "" where nvidia-smi finds none."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip().split("\n")[0] if done.returncode == 0 else ""


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Runs this Python in the checkout."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )


def measured(name: str, environment: dict[str, str]) -> dict:
    """The answer of one side's process; a failure is missing too, and said on stderr."""
    try:
        done = python("-m", "ci.benchmarks.gpu_sides", *name.split(), **environment)
    except subprocess.TimeoutExpired:
        return {"missing": f"took more than {LONGEST} s"}
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        why = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return {"missing": why[:200], "failed": True}


def outcome(row: Row, has_card: bool) -> Outcome:
    """Measures a row. What it is held against comes second, so that both find the card as warm."""
    if row.needs_card and not has_card:
        return Outcome(row, {"missing": "no card"}, {})
    ours = measured(row.ours, dict(row.environment))
    theirs = measured(row.theirs, {}) if row.theirs else {}
    for name, side in ((row.ours, ours), (row.theirs, theirs)):
        if "missing" in side:
            print(f"{name}: {side['missing']}", file=sys.stderr)
    return Outcome(row, ours, theirs)


def versions() -> str:
    """The libraries whose versions matter, as far as they are installed."""
    code = (
        "from importlib import metadata\n"
        "for name in ('numpy', 'cupy-cuda12x', 'cupy-cuda13x', 'torch', 'jax', 'nvidia-nccl-cu13'):\n"
        "    try: print(name, metadata.version(name))\n"
        "    except metadata.PackageNotFoundError: pass\n"
    )
    return ", ".join(python("-c", code).stdout.split("\n")).rstrip(", ")


def document(outcomes: list[Outcome], device: str) -> str:
    """The report as Markdown."""
    lines = [
        f"- date: {datetime.date.today()}",
        f"- device: {device or 'no card: what needs one is open'}",
        f"- tfmini: commit {os.environ.get('COMMIT') or commit()}, Python {sys.version.split()[0]}; {versions()}",
    ]
    about = (
        "Medians of five rounds, each measurement in a process of its own, TF32 off everywhere. Host time is until "
        "the calls of a step return, wall time until the card is done."
    )
    table = HEADER + "\n".join(o.line() for o in outcomes) + "\n"
    return "# Speed on the GPU\n\n" + "\n".join(lines) + f"\n\n{about}\n\n{table}"


def probe() -> None:
    """Measures the card and CuPy, for whoever plans kernels."""
    done = python("-m", "ci.benchmarks.probe")
    path = RESULTS / f"probe-{datetime.date.today()}.txt"
    path.write_text(f"{card()}, commit {os.environ.get('COMMIT') or commit()}\n\n{done.stdout}")
    print(f"written: {path}")
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)


def options() -> argparse.Namespace:
    about, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="ci/bench gpu",
        description=about,
        epilog=rest,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="of the rows to measure; all")
    parser.add_argument("--probe", action="store_true", help="run the probe again")
    parser.add_argument("--output", type=Path, help="write the table there")
    return parser.parse_args()


def main() -> int:
    chosen = options()
    words = [word.lower() for word in chosen.words]
    rows = [row for row in ROWS if not words or any(w in row.work.lower() for w in words)]
    if not rows:
        print(f"ci/bench gpu: no row is about {' or '.join(words)}", file=sys.stderr)
        return 2
    device = card()
    if device and (chosen.probe or not (words or list(RESULTS.glob("probe-*.txt")))):
        probe()
    found = []
    for row in rows:
        found.append(outcome(row, bool(device)))
        print(found[-1].line(), flush=True)
    text = document(found, device)
    output = chosen.output
    if device and not words and not output:
        output = RESULTS / f"bench-gpu-{datetime.date.today()}.md"
    if output:
        output.write_text(text, encoding="utf-8")
        print(f"written: {output}")
    else:
        print("\n" + text)
    failed = any("failed" in side for o in found for side in (o.ours, o.theirs))
    return int(failed or any(o.reached is False for o in found))


if __name__ == "__main__":
    sys.exit(main())
