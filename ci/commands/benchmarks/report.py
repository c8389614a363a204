"""The table that `ci/bench` prints and stores: figures, ratios, and the machine."""

import datetime
import os
import subprocess
from pathlib import Path
from statistics import median

from ci.commands.benchmarks.rows import SCALE, Outcome
from ci.commands.benchmarks.sides import ROOT, Side

HEADER = """\
| work | tfmini | TensorFlow 1.15.5 | ratio (lowest to highest) | target | met |
| --- | --- | --- | --- | --- | --- |
"""


def number(value: float, unit: str) -> str:
    """A figure with its unit and three significant digits."""
    scaled = value * SCALE[unit]
    digits = 0 if not unit or abs(scaled) >= 100 else 1 if abs(scaled) >= 10 else 2
    return f"{scaled:.{digits}f} {unit}".strip()


def line(outcome: Outcome) -> str:
    """One row of the table."""
    row = outcome.row
    ours = number(median(outcome.ours), row.unit) if outcome.ours else "-"
    theirs = number(median(outcome.theirs), row.unit) if outcome.theirs else "-"
    ratio, target = "-", f"<= {number(row.target / SCALE[row.unit], row.unit)}"
    if row.kind == "ratio":
        target = f"<= {row.target:g}"
        if outcome.ratios:
            lowest, highest = min(outcome.ratios), max(outcome.ratios)
            ratio = f"{median(outcome.ratios):.2f} ({lowest:.2f} to {highest:.2f})"
    reached = outcome.note or {True: "yes", False: "**no**", None: "-"}[outcome.reached]
    return f"| {row.work} | {ours} | {theirs} | {ratio} | {target} | {reached} |"


def git(*arguments: str) -> str:
    """The output of a git command; "" outside a checkout."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def commit() -> str:
    """The measured commit, and whether tfmini/ had uncommitted changes."""
    changed = " with changes" if git("status", "--porcelain", "--", "tfmini") else ""
    return (git("rev-parse", "--short", "HEAD") or "unknown") + changed


def processor() -> str:
    """The processor's name and the cores this process may use."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else 'unknown'}, {len(os.sched_getaffinity(0))} cores"


BLAS = """\
try:
    import numpy, threadpoolctl
    print(threadpoolctl.threadpool_info()[0]["architecture"])
except (ImportError, IndexError, KeyError):
    print("an unknown core")
"""


def place(ours: Side, theirs: Side | None, load: float) -> str:
    """Machine, versions, commit and date, as a list."""
    python, numpy = ours.output("import sys; print(sys.version.split()[0])"), ours.version("numpy")
    lines = [
        f"- date: {datetime.date.today()}",
        f"- machine: {processor()}; two threads for each side; load average {load:.1f} at the start",
        f"- tfmini: commit {commit()}, Python {python}, numpy {numpy}",
        f"- OpenBLAS of numpy: for {ours.output(BLAS)}",
    ]
    if theirs:
        python = theirs.output("import sys; print(sys.version.split()[0])")
        lines.append(
            f"- reference: {theirs.module} {theirs.version(theirs.module)}, Python {python}"
        )
    return "\n".join(lines) + "\n"


def document(outcomes: list[Outcome], ours: Side, theirs: Side | None, load: float) -> str:
    """The whole report as Markdown; `load` is the machine's load before the run."""
    rounds = max((len(outcome.ours) for outcome in outcomes), default=0)
    about = (
        "Medians; both sides measured alternately in one run, up to "
        f"{rounds} rounds, with the ratio taken per round.\n"
    )
    table = HEADER + "\n".join(map(line, outcomes)) + "\n"
    return f"# Speed and memory on the CPU\n\n{place(ours, theirs, load)}\n{about}\n{table}"
