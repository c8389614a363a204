"""Figures by area, as printed and stored by `ci/soak tensorflow_tests`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ci.commands.upstream.counting import FileOfTests, Outcomes

# The project's goal: 97 % of the tests in each area.
HELD_TO = ("array ops", "math ops", "state/variables", "control flow", "rnn", "framework")

# Error text for a name of TensorFlow's that tfmini lacks.
LACKS = "tfmini does not implement"


def by_area(files: Iterable[FileOfTests], outcomes: Mapping[str, Outcomes]) -> str:
    """A table: area, files, passed tests, counted tests, per cent; the number of unsupported tests, which end with
    the error for a missing name, and the per cent of the supported ones.
    """
    lines = [
        "| area | files | passed | counted | | unsupported | of supported |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    groups: dict[str, list[FileOfTests]] = {}
    for file in files:
        groups.setdefault(file.area, []).append(file)
    total = [0, 0, 0, 0]
    for area, members in groups.items():
        passed = sum(count_passed(file, outcomes) for file in members)
        count = sum(file.count for file in members)
        waiting = sum(count_missing(file, outcomes) for file in members)
        mark = "**" if area in HELD_TO else ""
        lines.append(_line(f"{mark}{area}{mark}", len(members), passed, count, waiting))
        total = [t + n for t, n in zip(total, (len(members), passed, count, waiting))]
    return "\n".join([*lines, _line("all", *total)])


def _line(area: str, files: int, passed: int, count: int, waiting: int) -> str:
    share, rest = _share(passed, count), _share(passed, count - waiting)
    return f"| {area} | {files} | {passed} | {count} | {share} | {waiting} | {rest} |"


def _share(passed: int, count: int) -> str:
    return f"{100 * passed / count:.1f} %" if count else "-"


def count_missing(file: FileOfTests, outcomes_by_file: Mapping[str, Outcomes]) -> int:
    """The number of a file's counted tests that ended at a name missing from tfmini; all, if the file did."""
    if file.name not in outcomes_by_file:
        return 0
    outcomes = outcomes_by_file[file.name]
    if not outcomes.tests and LACKS in outcomes.failure:
        return file.count
    return sum(LACKS in message for message in outcomes.failed(file).values())


def count_passed(file: FileOfTests, outcomes_by_file: Mapping[str, Outcomes]) -> int:
    """The number of a file's counted tests that passed."""
    return len(outcomes_by_file[file.name].passed(file)) if file.name in outcomes_by_file else 0


def by_file(files: Iterable[FileOfTests], outcomes_by_file: Mapping[str, Outcomes]) -> str:
    """A line per file with counted tests that did not pass, with the reason if it failed as a whole."""
    lines = ["| area | file | passed | counted | |", "| --- | --- | ---: | ---: | --- |"]
    for file in files:
        passed = count_passed(file, outcomes_by_file)
        if passed < file.count:
            failure = (
                outcomes_by_file[file.name].failure
                if file.name in outcomes_by_file
                else "did not run"
            )
            words = failure.replace("|", "\\|")[:120]
            lines.append(f"| {file.area} | {file.name} | {passed} | {file.count} | {words} |")
    return "\n".join(lines)


def messages(
    files: Sequence[FileOfTests], outcomes_by_file: Mapping[str, Outcomes], most: int
) -> str:
    """The most frequent messages of counted tests that did not pass, with a test for each."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for file in files:
        if file.name in outcomes_by_file:
            for test, message in outcomes_by_file[file.name].failed(file).items():
                counts[message] += 1
                first.setdefault(message, f"{file.name} {test}")
    return "\n".join(f"{n:5}  {text}\n       {first[text]}" for text, n in counts.most_common(most))
