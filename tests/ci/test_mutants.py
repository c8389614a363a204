"""ci/mutants: which changes it plants, and which tests it takes for one."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ci.mutation import choosing
from ci.mutation.operators import Mutant, is_python, mutants

ROOT = Path(__file__).resolve().parents[2]
TEXT = b'''"""A file."""
LIMIT = 3


@op("Twice", "x: T -> y: T", shared=True)
def twice(xp, x, *, shared):
    """A docstring."""
    if x.ndim < LIMIT and not shared:
        raise ValueError("%d" % x.ndim)
    return raw.Add(x, -x, axis=1, name="sum")


def place(n: "int" = 0) -> str:
    self.n = n + 2
    return f"{n}"
'''


def changes(mutant):
    return mutant.line, mutant.operator, mutant.old, mutant.new


def test_what_is_planted():
    found = mutants("file.py", TEXT)
    assert [changes(m) for m in found] == [
        (2, "constant", "3", "(3 + 1)"),
        (5, "constant", "True", "False"),
        (8, "comparison", "<", "<="),
        (8, "boolean", "and", "or"),
        (8, "boolean", "not shared", "bool(shared)"),
        (9, "statement", 'raise ValueError("%d" % x.ndim)', "pass"),
        (10, "operands", "x, -x", "-x, x"),
        (10, "arithmetic", "-x", "x"),
        (10, "attr", "axis=1, ", ""),
        (10, "constant", "1", "(1 + 1)"),
        (13, "constant", "0", "(0 + 1)"),
        (14, "statement", "self.n = n + 2", "pass"),
        (14, "arithmetic", "+", "-"),
        (14, "constant", "2", "(2 + 1)"),
    ]
    functions = {m.line: (m.function, m.op) for m in found}
    assert functions[2] == functions[13] == ("file.py", "")
    assert functions[5] == ("file.py", "Twice")
    assert functions[10] == ("file.py:5", "") and functions[14] == ("file.py:13", "")
    planted = found[8].planted(TEXT)
    assert b'raw.Add(x, -x, name="sum")' in planted and is_python(found[8], TEXT)


def test_bytes_are_counted_not_characters():
    (mutant,) = mutants("file.py", 'x = "é", 1 < y\n'.encode())[-1:]
    assert mutant.planted('x = "é", 1 < y\n'.encode()).decode() == 'x = "é", 1 <= y\n'


def test_what_is_no_python_is_not_planted():
    assert not is_python(Mutant("f.py", 1, "f.py", "statement", 0, 1, "x", "("), b"x = 1\n")


def test_a_seed_draws_the_same(tmp_path):
    (tmp_path / "tfmini").mkdir()
    (tmp_path / "tfmini" / "file.py").write_bytes(TEXT)
    one, again, other = (choosing.sample(tmp_path, "tfmini", 6, seed) for seed in (1, 1, 2))
    assert one == again != other and len(set(one)) == 6
    assert len(choosing.sample(tmp_path, "tfmini/file.py", 100, 1)) == 14
    assert [changes(m) for m in choosing.at_line(tmp_path, "tfmini/file.py", 2)] == [
        (2, "constant", "3", "(3 + 1)")
    ]


@pytest.fixture
def reach(tmp_path):
    tests = [
        ("tests/test_a.py::test_all", 4.0, 500),
        ("tests/ops/test_file.py::test_twice", 1.0, 50),
        ("tests/test_a.py::test_few", 1.0, 5),
        ("tests/test_every_op.py::test_definition[Twice]", 0.1, 0),
        ("tests/test_b.py::test_elsewhere", 0.1, 1),
    ]
    path = "tfmini/_src/ops/file.py"
    reached = {f"{path}:5": [0, 1, 2], f"{path}:13": [0], "tfmini/other.py:1": [4]}
    with gzip.open(tmp_path / "main.json.gz", "wt") as file:
        json.dump({"tests": tests, "reached": reached}, file)
    return choosing.Reach(tmp_path)


@pytest.mark.parametrize(
    "line, seconds, chosen",
    [
        (":5", 9, ["test_twice", "test_few", "test_all"]),
        (":5", 3, ["test_twice", "test_few"]),
        (":13", 9, ["test_all"]),
        ("", 9, ["test_twice", "test_few", "test_all"]),
        (":99", 9, ["test_twice", "test_few", "test_all"]),
    ],
)
def test_the_nearest_tests_that_reach_it(reach, line, seconds, chosen):
    mutant = Mutant(
        "tfmini/_src/ops/file.py", 6, "tfmini/_src/ops/file.py" + line, "constant", 0, 1, "", ""
    )
    assert [test.partition("::")[2] for test in reach.tests_of(mutant, seconds)] == chosen


def test_where_nothing_is_noted_the_mirroring_folder_runs(reach):
    mutant = Mutant(
        "tfmini/_src/ops/elsewhere.py",
        6,
        "tfmini/_src/ops/elsewhere.py:1",
        "constant",
        0,
        1,
        "",
        "",
    )
    assert reach.tests_of(mutant, 9) == ["tests/ops/test_file.py::test_twice"]


def test_tests_of_a_declaration(reach):
    mutant = Mutant(
        *(
            "tfmini/_src/ops/file.py",
            5,
            "tfmini/_src/ops/file.py",
            "constant",
            0,
            1,
            "",
            "",
            "Twice",
        )
    )
    assert reach.tests_of(mutant, 1.2) == [
        "tests/test_every_op.py::test_definition[Twice]",
        "tests/ops/test_file.py::test_twice",
    ]


def test_it_says_what_it_needs(tmp_path):
    command = [
        sys.executable,
        "-m",
        "ci.mutation",
        "--reach",
        str(tmp_path),
        "tfmini/_src/base/nest",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "ci/mutants --map makes it" in done.stderr
