"""Groups of cases: a test of many small ones, each of which costs less than pytest spends on a test.

    GROUPS = cases.groups({"feeds": names, ...})

    @pytest.mark.parametrize("group", GROUPS, ids=str)
    def test_same_error(group, check_each):
        check_each(group, check)

The fixture `check_each` calls `check(name)` for each case, or `check(what the group loads)`. All cases run, each in the
state of a test of its own, and the failure of the test shows all that fail and the command that repeats each alone:
`--case NAME` runs no other.
"""

import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from tests.support import isolation, tiers

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


def with_case(items, name):
    """The tests in whose groups there is a case."""
    return [item for item in items if group_of(item) and name in group_of(item).load()]


def name_of(item, case):
    """The name of a case beside those of tests, the same whichever group it is in."""
    return f"{item.nodeid.partition('[')[0]} {case}"


def chosen(item, names):
    """Of the names of a test's cases those to run: the one that `--case` gives, or all of the tier."""
    only = item.config.getoption("case")
    if only is not None:
        return [only]
    if item.config.getoption("tier") == "full":
        return names
    slow = tiers.slow_tests()
    return [name for name in names if name_of(item, name) not in slow]


def check_each(item, group, check):
    """Calls `check` for each case of the group of a test; fails if one of them does."""
    loaded, failed = group.load(), []
    names = chosen(item, loaded)
    for name in names:
        full_name, started = name_of(item, name), time.perf_counter()
        isolation.begin(full_name, item.module)
        try:
            check(loaded[name])
        except (Exception, pytest.fail.Exception) as error:
            failed.append(f"{name}\n{_shown(error)}\nalone: {command(item, name)}")
        finally:
            isolation.end()
        seconds = time.perf_counter() - started
        if seconds >= tiers.SLOW:
            item.user_properties.append(("slow case", f"{seconds:.2f} {name}"))
    item.user_properties.append(("cases", len(names)))
    if failed:
        heading = f"{len(failed)} of {len(names)} cases fail"
        pytest.fail("\n\n".join([heading, *failed]), pytrace=False)


def command(item, name):
    """The command that runs a case alone."""
    return f"python -m pytest {shlex.quote(item.nodeid)} --case {shlex.quote(name)}"


def _shown(error):
    found = pytest.ExceptionInfo.from_exception(error)
    found.traceback = found.traceback[1:]  # without `check_each`
    return str(found.getrepr(style="short", chain=False))
