"""The table that `ci/programs` prints and keeps."""

import datetime
import platform
from collections import Counter

import numpy

from ci.benchmarks.report import commit, processor
from ci.real_programs.commits import COMMITS
from ci.real_programs.running import Outcome

HEADER = """\
| program | path | outcome | seconds | what it showed, or what stopped it |
| --- | --- | --- | --- | --- |
"""


def status(outcome: Outcome) -> str:
    """How it went, against what its row says."""
    needs = outcome.program.needs
    if not outcome.tried:
        return "not tried"
    if outcome.ran:
        return f"runs (its row says: needs {needs})" if needs else "runs"
    return f"needs {needs}" if needs else "**fails**"


def disagrees(outcome: Outcome) -> bool:
    """Whether a program that should run did not."""
    return outcome.tried and not outcome.ran and not outcome.program.needs


def line(outcome: Outcome) -> str:
    """One row of the table."""
    program = outcome.program
    commit = COMMITS[program.repository]
    link = f"[{program.path}](https://github.com/{program.repository}/tree/{commit})"
    said = " ".join(outcome.said.split()).replace("|", "\\|").replace("`", "'")[:110]
    return f"| {program.called} | {link} | {status(outcome)} | {outcome.seconds:.0f} | `{said}` |"


def verdict(outcomes: list[Outcome]) -> str:
    """How many of them run, in a sentence or two."""
    ran = [outcome for outcome in outcomes if outcome.ran]
    repositories = {outcome.program.repository for outcome in outcomes}
    needs = Counter(
        part.strip()
        for outcome in outcomes
        if not outcome.ran and outcome.program.needs
        for part in outcome.program.needs.split(",")
    )
    waiting = ", ".join(f"{part} ({count})" for part, count in needs.most_common())
    text = f"{len(ran)} of {len(outcomes)} programs from {len(repositories)} repositories run."
    return f"{text} Waited for: {waiting}." if waiting else text


def page(outcomes: list[Outcome], today: datetime.date) -> str:
    """The file for ci/results/."""
    about = (
        f"- date: {today}\n"
        f"- machine: {processor()}\n"
        f"- tfmini: commit {commit()}, Python {platform.python_version()}, numpy {numpy.__version__}\n"
    )
    rows = "".join(line(outcome) + "\n" for outcome in outcomes)
    return f"# Real programs under `python -m tfmini run`\n\n{about}\n{verdict(outcomes)}\n\n{HEADER}{rows}"
