"""What takes turns has each its turn, and is there."""

import ast
import pathlib

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


@pytest.mark.parametrize("row", every_day.IN_TURN, ids=lambda row: row[0])
def test_rows_name_tests(row, monkeypatch):
    today = set()
    for day in range(len(row)):
        monkeypatch.setattr(every_day, "DAY", day)
        today |= {*row} - every_day.of_other_days()
        assert len({*row} - every_day.of_other_days()) == 1
    assert today == {*row}
    for name in row:
        file, _, test = name.partition("::")
        tree = ast.parse((HERE / file).read_text())
        assert test in [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
