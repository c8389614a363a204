"""The table that `ci/soak programs` prints and stores."""

import datetime
import platform
import re
from collections import Counter

import numpy

from ci.commands.benchmarks.report import commit, processor
from ci.commands.real_programs.commits import COMMITS
from ci.commands.real_programs.libraries import Suite
from ci.commands.real_programs.running import Outcome

HEADER = """\
| program | path | outcome | seconds | output or error |
| --- | --- | --- | --- | --- |
"""


LIBRARY_HEADER = """\
| library | pass on TensorFlow 1.15.5 | of these here | % | seconds | needs |
| --- | --- | --- | --- | --- | --- |
"""

_ROW = re.compile(r"^\| ([^|]+) \| \[[^|]*\) \| ([^|]+) \|", re.MULTILINE)


def status(outcome: Outcome) -> str:
    """The outcome in words, compared with the row's expectation."""
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
    """The number of programs that run, in one or two sentences."""
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
    return f"{text} Blocked by: {waiting}." if waiting else text


def changes(outcomes: list[Outcome], page: str) -> str:
    """Programs whose outcome differs from an older page's, one per line."""
    before = dict(_ROW.findall(page))
    rows = [(outcome.program.called, status(outcome)) for outcome in outcomes]
    lines = [
        f"{name}: {before.get(name, 'not on the page')} -> {now}"
        for name, now in rows
        if before.get(name) != now
    ]
    return "\n".join(lines) or "Each outcome is that of the last page."


def about(today: datetime.date) -> str:
    """The lines on date, machine and commit."""
    return (
        f"- date: {today}\n"
        f"- machine: {processor()}\n"
        f"- tfmini: commit {commit()}, Python {platform.python_version()}, numpy {numpy.__version__}\n"
    )


def page(outcomes: list[Outcome], today: datetime.date) -> str:
    """The file for ci/results/."""
    rows = "".join(line(outcome) + "\n" for outcome in outcomes)
    title = "# Public programs under `python -m tfmini run`"
    return f"{title}\n\n{about(today)}\n{verdict(outcomes)}\n\n{HEADER}{rows}"


def library_line(suite: Suite) -> str:
    """One row of the libraries' table."""
    if not suite.wanted:  # not yet run on TensorFlow
        passed = sum(how == "passed" for how, _ in suite.outcomes.values())
        return f"| {suite.library.name} | not recorded | {passed} pass |  | {suite.seconds:.0f} | {suite.said} |"
    expected = len(suite.wanted)
    share = f"{100 * suite.passed / expected:.1f}"
    needs = "; ".join(part for part in (suite.library.needs, suite.said) if part)
    name = suite.library.name
    return f"| {name} | {expected} | {suite.passed} | {share} | {suite.seconds:.0f} | {needs} |"


def causes(suite: Suite) -> str:
    """The failures of a library's tests, most frequent first."""
    rows = [
        f"- {count} x `{said.replace('`', chr(39))}`\n"
        for said, count in suite.causes().most_common(25)
    ]
    return f"## {suite.library.name}\n\n{''.join(rows) or 'All pass.' + chr(10)}"


def library_page(suites: list[Suite], today: datetime.date) -> str:
    """The libraries' file for ci/results/."""
    rows = "".join(library_line(suite) + "\n" for suite in suites)
    details = "\n".join(causes(suite) for suite in suites)
    expected = sum(len(suite.wanted) for suite in suites)
    passed = sum(suite.passed for suite in suites)
    summary = f"{passed} of the {expected} tests that pass on TensorFlow 1.15.5 pass here."
    title = "# Libraries' own tests under `python -m tfmini run`"
    head = f"{title}\n\n{about(today)}\n{summary}\n\n{LIBRARY_HEADER}{rows}"
    return f"{head}\nFailures:\n\n{details}"
