"""Tiers are deterministic, and list existing tests."""

import ast
import functools
import itertools
import json
import pathlib
from types import SimpleNamespace

import pytest

from tests.support import tiers

TESTS = pathlib.Path(__file__).parents[1]


def test_guards_run_in_default_tier():
    assert all((TESTS.parent / f"{name}.py").is_file() for name in tiers.GUARDS)
    assert not [name for name in tiers.slow_tests() if name.startswith(tiers.GUARDS)]


def test_default_tier_stays_within_time_limit():
    """Checks the recorded durations, so that the result does not depend on the machine's load."""
    seconds = json.loads(tiers.DURATIONS.read_text())
    assert len(seconds) > 20
    assert sum(seconds.values()) / tiers.PROCESSES < tiers.MAX


def test_slow_tests_exist():
    functions = {}
    lines = tiers.SLOW_TESTS.read_text(encoding="utf-8").splitlines()
    for name in (line for line in lines if not line.startswith(" ")):
        file, _, test = name.partition("::")
        functions.setdefault(file, set()).add(test)
    for file, names in functions.items():
        tree = ast.parse((TESTS.parent / file).read_text())
        there = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
        assigned = [each.targets[0] for each in tree.body if isinstance(each, ast.Assign)]
        there.update(target.id for target in assigned if isinstance(target, ast.Name))
        assert names <= there, file


def test_slow_test_list_round_trips(tmp_path, monkeypatch):
    monkeypatch.setattr(tiers, "SLOW_TESTS", tmp_path / "slow_tests.txt")
    names = [
        "a.py::test_one",
        "a.py::test_two[x y-[1]]",
        "a.py::test_two case [2] ",
        "b.py::test_c[]",
    ]
    tiers.write_slow(reversed(names))
    assert tiers.SLOW_TESTS.read_text().count("test_two") == 1
    for cached in (tiers._slow, tiers.slow_tests):
        monkeypatch.setattr(tiers, cached.__name__, functools.cache(cached.__wrapped__))
    assert tiers.slow_tests() == {names[0], names[1], names[3]}
    assert tiers.slow_cases("a.py::test_two") == {"case [2] "}
    assert tiers.slow_cases("a.py::test_one") == set()


def test_longest_tests_exist_and_start_first():
    for name in tiers.LONGEST:
        file, _, test = name.partition("[")[0].partition("::")
        assert f"\ndef {test}(" in (TESTS.parent / file).read_text(), name
    longest = sorted(tiers.LONGEST)
    items = [SimpleNamespace(nodeid=name) for name in ("a", longest[0], "b", f"{longest[-1]}[x]")]
    order = [item.nodeid for item in tiers.longest_first(items)]
    assert order == [longest[0], f"{longest[-1]}[x]", "a", "b"]


def test_shards_partition_tests(request):
    items = [SimpleNamespace(nodeid=f"tests/test_a.py::test_{n}") for n in range(40)]
    shards = [tiers.nodes_of_shard(items, *tiers.shard(f"{n}/3")) for n in (1, 2, 3)]
    assert all(shards) and sorted(sum(shards, []), key=items.index) == items
    folder = request.node.getparent(pytest.Module)
    assert tiers.nodes_of_shard([folder], 1, 3) == tiers.nodes_of_shard([folder], 2, 3) == [folder]
    for wrong in ("0/3", "4/3", "3", "a/b"):
        with pytest.raises(ValueError, match="no shard|unpack|invalid literal"):
            tiers.shard(wrong)


def test_seeded_order_keeps_files_together():
    names = [f"{file}::test_{i}" for file in "abcde" for i in range(4)]
    items = [SimpleNamespace(nodeid=name) for name in names]
    drawn = [item.nodeid for item in tiers.shuffle(items, "3")]
    assert drawn != names and sorted(drawn) == names
    assert len(list(itertools.groupby(drawn, lambda name: name[0]))) == 5
    assert drawn == [item.nodeid for item in tiers.shuffle(items, "3")]
    assert drawn != [item.nodeid for item in tiers.shuffle(items, "4")]


def test_slow_threshold(tmp_path):
    report = tmp_path / "report.xml"
    cases = (
        ("tests.ops.test_a", "test_quick", 0.1),
        ("tests.ops.test_a", "test_slow[x-1]", 0.2),
        ("tests.test_b", "test_longer", 20),
        ("tests.repository.test_layers", "test_tree_follows_the_architecture", 9),
    )
    rows = [f'<testcase classname="{a}" name="{b}" time="{c}" />' for a, b, c in cases]
    rows.append(
        """<testcase classname="tests.test_c" name="test_each[group-1]" time="8"><properties>
        <property name="slow case" value="0.35 of two words" /><property name="cases" value="70" />
        </properties></testcase>"""
    )
    report.write_text(f"<testsuites><testsuite>{''.join(rows)}</testsuite></testsuites>")
    assert tiers.slow_in([report]) == [
        "tests/ops/test_a.py::test_slow[x-1]",
        "tests/test_b.py::test_longer",
        "tests/test_c.py::test_each of two words",
    ]
    assert tiers.durations_in(report) == {
        "tests/ops": 0.3,
        "tests/repository": 9.0,
        "tests/test_b": 20.0,
        "tests/test_c": 8.0,
    }
