"""Groups of cases: a test of many small ones, each of which costs less than pytest spends on a test.

    GROUPS = cases.groups({"feeds": names, ...})

    @cases.parametrize(GROUPS)
    def test_same_error(group, check_each):
        check_each(group, check)

The fixture `check_each` calls `check(name)` for each case, or `check(what the group loads)`. All cases run, each in the
state of a test of its own, and the failure of the test shows all that fail and the command that repeats each alone:
`--case NAME` runs no other.
"""

import os
import pathlib
import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from tests.support import isolation, tiers

ROOT = pathlib.Path(__file__).parents[2]
SIZE = 100  # cases of a test, at most: processes that share the tests share them evenly


@dataclass(frozen=True)
class Group:
    """A name for cases, and what loads them when their test runs: by the name of each what `check` gets."""

    name: str
    load: Callable[[], Mapping[str, Any]]

    def __str__(self):
        return self.name


def groups(names, size=SIZE):
    """Groups of {name of a group: names of its cases}, which `check` gets; of more than `size` cases NAME-1, NAME-2
    and so on.
    """
    found = []
    for name, cases in names.items():
        parts = [tuple(cases[start : start + size]) for start in range(0, len(cases), size)]
        ids = [name] if len(parts) == 1 else [f"{name}-{n}" for n in range(1, len(parts) + 1)]
        found += [Group(each, partial(_by_themselves, part)) for each, part in zip(ids, parts)]
    return found


def _by_themselves(names):
    return dict(zip(names, names))


def group_of(item):
    """The group of a test, or None."""
    found = getattr(item, "callspec", None) and item.callspec.params.get("group")
    return found if isinstance(found, Group) else None


def parametrize(given):
    """Parametrizes a test by groups. Its slow cases, by `slow_tests.txt`, are one more, of the full tier alone."""

    def parametrized(function):
        file = os.path.relpath(function.__code__.co_filename, ROOT)
        slow = tiers.slow_cases(f"{file}::{function.__name__}")
        parts = list(given)
        if slow:
            parts = [Group(each.name, partial(_without, each, slow)) for each in given]
            parts.append(tiers.full(Group("slow", partial(_of_all, given, slow))))
        return pytest.mark.parametrize("group", parts, ids=str)(function)

    return parametrized


def _without(group, names):
    return {name: case for name, case in group.load().items() if name not in names}


def _of_all(given, names):
    return {k: case for group in given for k, case in group.load().items() if k in names}


def with_case(items, name):
    """The tests in whose groups there is a case."""
    return [item for item in items if group_of(item) and name in group_of(item).load()]


def check_each(item, group, check):
    """Calls `check` for each case of the group of a test; fails if one of them does."""
    loaded, only, failed = group.load(), item.config.getoption("case"), []
    if only is not None:
        loaded = {only: loaded[only]}
    for name, case in loaded.items():
        started = time.perf_counter()
        isolation.begin(f"{item.nodeid.partition('[')[0]} {name}", item.module)
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            failed.append(f"{name}\n{_shown(error)}\nalone: {command(item, name)}")
        finally:
            isolation.end()
        seconds = time.perf_counter() - started
        if seconds >= tiers.SLOW:
            item.user_properties.append(("slow case", f"{seconds:.2f} {name}"))
    item.user_properties.append(("cases", len(loaded)))
    if failed:
        heading = f"{len(failed)} of {len(loaded)} cases fail"
        pytest.fail("\n\n".join([heading, *failed]), pytrace=False)


def command(item, name):
    """The command that runs a case alone."""
    return f"python -m pytest {shlex.quote(item.nodeid)} --case {shlex.quote(name)}"


def add_command(item, report):
    """Adds to the report of a failed test the command that runs it alone."""
    if report.failed and group_of(item) is None:
        line = f"python -m pytest {shlex.quote(item.nodeid)}"
        report.sections.append(("this test alone", line))


def _shown(error):
    found = pytest.ExceptionInfo.from_exception(error)
    found.traceback = found.traceback[1:]  # without `check_each`
    return str(found.getrepr(style="short", chain=False))
