"""Groups of cases report all failures, isolate each case, and can run a single case."""

import functools
import inspect
import itertools
import pathlib
import re
import subprocess
import sys

import pytest

from tests.support import cases, tiers

ROOT = pathlib.Path(__file__).parents[2]

# A test of four cases: the second and fourth fail, the third sees the state of a new process.
GROUPED = """
import random
import numpy as np
import pytest
import tfmini as tf
import pytest

from tests.support import cases, tiers

DRAWN = np.random.RandomState(1)
GROUPS = cases.groups({"letters": ["a", "b c", "d", "e"], "none": []})

def check(name):
    print("runs", name)
    assert tf.get_default_graph().get_operations() == []
    assert DRAWN.randint(1 << 30) == np.random.RandomState(1).randint(1 << 30)
    tf.constant(1.0)
    if name == "e":
        pytest.fail("of its own")
    assert name != "b c", "which is wrong"

@cases.parametrize(GROUPS)
def test_each(group, check_each):
    check_each(group, check)

def test_other():
    pass
"""


def run(tmp_path, *options):
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    file = tmp_path / "test_grouped.py"
    file.write_text(GROUPED)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rP", file, *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def test_failed_checks_do_not_stop_the_rest(tmp_path):
    output = run(tmp_path)
    assert "2 of 4 cases fail" in output and "1 failed, 1 passed" in output
    assert re.findall("^runs (.*)$", output, re.MULTILINE) == ["a", "b c", "d", "e"]
    assert "which is wrong" in output and "of its own" in output
    alone = re.findall("^(?:E +)?alone: python -m pytest (.*)$", output, re.MULTILINE)
    test_id = re.escape("test_grouped.py::test_each[letters]")
    assert re.fullmatch(f"'.*{test_id}' --case 'b c'", alone[0])
    assert re.fullmatch(f"'.*{test_id}' --case e", alone[1])


def test_one_case_runs_alone(tmp_path):
    output = run(tmp_path, "--case", "d")
    assert "1 passed" in output and "failed" not in output
    assert re.findall("^runs (.*)$", output, re.MULTILINE) == ["d"]
    output = run(tmp_path, "--case", "[bd]*")
    assert re.findall("^runs (.*)$", output, re.MULTILINE) == ["b c", "d"]


def test_in_one_test_runs_parameters_with_fixtures(request):
    ran = []

    @cases.in_one_test
    @pytest.mark.parametrize("dtype, size", [(float, 1), pytest.param(int, 2, id="own")])
    @pytest.mark.parametrize("axis", [None, "last", [0]])
    @pytest.mark.parametrize("same", [1, 1.0], ids=str)
    def test(build, axis, dtype, size, same):
        assert axis != "last", "which is wrong"
        ran.append((build, axis, dtype, size, same))

    assert list(inspect.signature(test).parameters) == ["build", "group", "check_each"]
    (mark,) = test.pytestmark
    (group,) = mark.args[1]
    names = [
        f"{s}-{a}-{r}"
        for s in (1, 1.0)
        for a in (None, "last", "axis2")
        for r in ("float-1", "own")
    ]
    assert list(group.load()) == names
    with pytest.raises(pytest.fail.Exception, match="^4 of 12 cases fail"):
        test(group, functools.partial(cases.check_each, request.node), build="v4")
    expected = itertools.product([1, 1.0], [None, [0]], [(float, 1), (int, 2)])
    assert ran == [("v4", axis, *row, same) for same, axis, row in expected]


def test_slow_cases_form_a_group_of_full_tier(monkeypatch):
    monkeypatch.setattr(tiers, "slow_cases", lambda test: {"y", "v", "gone"})

    @cases.parametrize(cases.groups({"a": "xyz", "b": "uv"}))
    def test(group):
        pass

    (mark,) = test.pytestmark
    *default, full = mark.args[1]
    assert ["".join(group.load()) for group in default] == ["xz", "u"]
    assert "".join(full.values[0].load()) == "yv" and [mark.name for mark in full.marks] == ["full"]


def test_large_groups_are_split():
    result = cases.groups({"a": "xyz", "b": "uv", "c": ""}, size=2)
    assert [(str(group), "".join(group.load())) for group in result] == [
        ("a-1", "xy"),
        ("a-2", "z"),
        ("b", "uv"),
    ]
