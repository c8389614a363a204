"""Groups of cases: one test runs many small cases, each cheaper than pytest's overhead per test.

    GROUPS = cases.groups({"feeds": names, ...})

    @cases.parametrize(GROUPS)
    def test_same_error(group, check_each):
        check_each(group, check)

The fixture `check_each` calls `check(name)`, or `check(value)` with the group's loaded values, for each case. All
cases run, each with the isolation of a separate test. The test's failure lists every failed case with the command
that reruns it alone: `--case NAME` selects a case; NAME may be a pattern such as 'Softsign*'.
"""

import fnmatch
import functools
import inspect
import itertools
import math
import os
import pathlib
import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support import expected_skips, isolation, tiers

ROOT = pathlib.Path(__file__).parents[2]
SIZE = 100  # maximum number of cases per test, for an even distribution over processes


@dataclass(frozen=True)
class Group:
    """Case names, and a loader for the values passed to `check`, by case name."""

    name: str
    load: Callable[[], Mapping[str, Any]]

    def __str__(self):
        return self.name


def groups(names, size=SIZE):
    """Groups from {group name: case names}; splits groups of more than `size` cases into NAME-1, NAME-2 and so on."""
    results = []
    for name, cases in names.items():
        parts = [tuple(cases[start : start + size]) for start in range(0, len(cases), size)]
        ids = [name] if len(parts) == 1 else [f"{name}-{n}" for n in range(1, len(parts) + 1)]
        results += [
            Group(each, functools.partial(_by_themselves, part)) for each, part in zip(ids, parts)
        ]
    return results


def _part_index(part):
    index = str(part).rpartition("-")[2]
    return int(index) if index.isdigit() else 1


def _by_themselves(names):
    return dict(zip(names, names))


def item_group(item):
    """The group of a test, or None."""
    group = getattr(item, "callspec", None) and item.callspec.params.get("group")
    return group if isinstance(group, Group) else None


def parametrize(members, file=None, most=None):
    """Parametrizes a test by groups. Slow cases, listed in `slow_tests.txt`, form a separate group of the full tier, as
    do parts of a group after the first `most`. `file` defaults to the function's file.
    """

    def parametrize(function):
        of = file or os.path.relpath(inspect.unwrap(function).__code__.co_filename, ROOT)
        slow = tiers.slow_cases(f"{of}::{function.__name__}")
        parts = list(members)
        if slow:
            parts = [Group(each.name, functools.partial(_without, each, slow)) for each in members]
            parts.append(tiers.full(Group("slow", functools.partial(_of_all, members, slow))))
        parts = [
            tiers.full(part) if _part_index(part) > (most or math.inf) else part for part in parts
        ]
        return pytest.mark.parametrize("group", parts, ids=str)(function)

    return parametrize


def in_one_test(function):
    """Turns a test's parameters into cases of a single test, for computations of a few milliseconds.

        @cases.in_one_test
        @pytest.mark.parametrize("dtype", ["f", "d"])
        @pytest.mark.parametrize("size", [1, 100])
        def test_sums(build, size, dtype): ...

    All cases share the fixtures, which must therefore carry no state from one case to the next.
    """
    marks = [mark for mark in function.pytestmark if mark.name == "parametrize"]
    cases = {}
    for rows in itertools.product(*map(_rows, marks)):
        name, arguments = "-".join(name for name, _ in rows), {}
        for _, values in rows:
            arguments.update(values)
        cases[name if name not in cases else f"{name} ({len(cases)})"] = arguments

    @functools.wraps(function)
    def test(group, check_each, **fixtures):
        check_each(group, lambda arguments: function(**fixtures, **arguments))

    test.pytestmark = [mark for mark in function.pytestmark if mark.name != "parametrize"]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.name not in next(iter(cases.values()))
    ]
    added = [inspect.Parameter(name, kind) for name in ("group", "check_each")]
    test.__signature__ = inspect.Signature([*parameters, *added])
    return parametrize([Group("all", lambda: cases)])(test)


def _rows(mark):
    """The ids of a parametrize mark's rows, as pytest generates them, and the arguments of each row."""
    names, values = mark.args
    names = [each.strip() for each in names.split(",")] if isinstance(names, str) else names
    ids = mark.kwargs.get("ids")
    for index, param in enumerate(values):
        case_id = None
        if hasattr(param, "marks"):  # a pytest.param
            assert not param.marks, f"a case has no marks: {param}"
            row, case_id = param.values, param.id
        else:
            row = (param,) if len(names) == 1 else tuple(param)
        assert len(row) == len(names), f"{len(names)} parameters, but {row}"
        if case_id is not None:
            labels = [case_id]
        elif callable(ids):
            labels = [ids(each) for each in row]
        elif ids is not None:
            labels = [ids[index]]
        else:
            labels = [_name(each, f"{name}{index}") for name, each in zip(names, row)]
        yield "-".join(map(str, labels)), dict(zip(names, row))


def _name(value, otherwise):
    if isinstance(value, str | int | float | complex | None):
        return str(value)
    name = getattr(value, "__name__", None)
    return name if isinstance(name, str) else otherwise


def _without(group, names):
    return {name: case for name, case in group.load().items() if name not in names}


def _of_all(members, names):
    return {k: case for group in members for k, case in group.load().items() if k in names}


def with_case(items, name):
    """The tests with a case that matches this name or pattern.

    Raises:
      UsageError: if no case matches.
    """
    matching = [
        item for item in items if item_group(item) and _choose(item_group(item).load(), name)
    ]
    if items and not matching and not hasattr(items[0].config, "workerinput"):  # of xdist
        raise pytest.UsageError(f"--case {name}: no such case in the tests collected")
    return matching


def _choose(loaded, name):
    if name in loaded:
        return {name: loaded[name]}
    return {each: loaded[each] for each in loaded if fnmatch.fnmatchcase(each, name)}


def check_each(item, group, check):
    """Calls `check` for each case of a test's group. Fails if any case fails; is skipped if a case lacks a package."""
    loaded, only, failed, skipped = group.load(), item.config.getoption("case"), [], []
    if only is not None:
        loaded = _choose(loaded, only)
    for name, case in loaded.items():
        started = time.perf_counter()
        isolation.begin(f"{item.nodeid.partition('[')[0]} {name}", item.module)
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            text = _error_text(error)
            if reason := expected_skips.reason_of_failure(text):
                skipped.append(reason)
            else:
                failed.append(f"{name}\n{text}\nalone: {command(item, name)}")
        finally:
            isolation.end()
        seconds = time.perf_counter() - started
        if seconds >= tiers.SLOW:
            item.user_properties.append(("slow case", f"{seconds:.2f} {name}"))
    item.user_properties.append(("cases", len(loaded)))
    if failed:
        heading = f"{len(failed)} of {len(loaded)} cases fail"
        pytest.fail("\n\n".join([heading, *failed]), pytrace=False)
    if skipped:
        pytest.skip(f"{skipped[0]}: {len(skipped)} of {len(loaded)} cases")


def command(item, name):
    """The command that runs a single case."""
    return f"python -m pytest {_place(item)} --case {shlex.quote(name)}"


def add_command(item, report):
    """Adds the command that reruns a failed test to its report."""
    if report.failed and item_group(item) is None:
        report.sections.append(("this test alone", f"python -m pytest {_place(item)}"))


def _place(item):
    """The test id relative to the folder where pytest was started, quoted for a shell."""
    file = os.path.relpath(item.path, item.config.invocation_params.dir)
    return shlex.quote(f"{file}::{item.nodeid.partition('::')[2]}")


def _error_text(error):
    info = pytest.ExceptionInfo.from_exception(error)
    info.traceback = info.traceback[1:]  # without `check_each`
    return str(info.getrepr(style="short", chain=False))
