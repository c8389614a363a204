"""What takes turns has each its turn, and is there."""

import ast
import itertools
import pathlib
from types import SimpleNamespace

import pytest

from tests import every_day

HERE = pathlib.Path(__file__).parent


def test_each_has_its_turn_once(monkeypatch):
    run = []
    for day in range(30, 33):
        monkeypatch.setattr(every_day, "DAY", day)
        shares = every_day.shares("abcdefg", 3)
        assert every_day.shares("zabcdefg", 3, first=2)[1:] == shares
        run += [each for each in shares if isinstance(each, str)]
    assert run == [*"adg", *"be", *"cf"]


def test_slow_tests_have_each_their_turn(monkeypatch):
    names, left = set(every_day.slow_tests()), []
    for day in range(40, 40 + every_day.TURNS):
        monkeypatch.setattr(every_day, "DAY", day)
        left.append(names - every_day.of_other_days())
    assert set().union(*left) == names and sum(map(len, left)) == len(names)
    assert min(map(len, left)) > len(names) / (every_day.TURNS + 2)


def test_each_of_two_lists_has_its_turn():
    """Days of a share and days of the slow tests meet; those that could not are refused."""
    days = range(2 * every_day.TURNS)
    assert {(day % 2, day % every_day.TURNS) for day in days} == {
        (share, turn) for share in range(2) for turn in range(every_day.TURNS)
    }
    with pytest.raises(ValueError, match=r"^turns of 14 days and of 7 may never meet$"):
        every_day.shares("ab", 14)


def test_guards_of_the_tree_are_there_and_run_each_day():
    assert all((HERE.parent / f"{name}.py").is_file() for name in every_day.GUARDS)
    assert not [name for name in every_day.slow_tests() if name.startswith(every_day.GUARDS)]


def test_slow_tests_are_there():
    functions = {}
    for name in every_day.slow_tests():
        file, _, test = name.partition("::")
        functions.setdefault(file, set()).add(test.partition("[")[0])
    for file, names in functions.items():
        tree = ast.parse((HERE.parent / file).read_text())
        there = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
        assert names <= there, file


def test_a_seed_draws_an_order_in_which_files_stay_together():
    names = [f"{file}::test_{number}" for file in "abcde" for number in range(4)]
    items = [SimpleNamespace(nodeid=name) for name in names]
    drawn = [item.nodeid for item in every_day.shuffled(items, "3")]
    assert drawn != names and sorted(drawn) == names
    assert len(list(itertools.groupby(drawn, lambda name: name[0]))) == 5
    assert drawn == [item.nodeid for item in every_day.shuffled(items, "3")]
    assert drawn != [item.nodeid for item in every_day.shuffled(items, "4")]


def test_which_tests_are_slow(tmp_path):
    report = tmp_path / "report.xml"
    cases = (
        ("tests.ops.test_a", "test_quick", 0.1),
        ("tests.ops.test_a", "test_slow[x-1]", 0.3),
        ("tests.test_b", "test_longer", 20),
        ("tests.test_layers", "test_the_house_stands", 9),
    )
    rows = [f'<testcase classname="{a}" name="{b}" time="{c}" />' for a, b, c in cases]
    report.write_text(f"<testsuites><testsuite>{''.join(rows)}</testsuite></testsuites>")
    assert every_day.slow_in([report]) == [
        "tests/ops/test_a.py::test_slow[x-1]",
        "tests/test_b.py::test_longer",
    ]
