"""ci/mutants: planted changes, and the tests selected for each."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ci.commands.mutation import choosing, floors, handwritten, native
from ci.commands.mutation.operators import Mutant, is_python, mutants

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


def test_planted_mutants():
    result = mutants("file.py", TEXT)
    assert [changes(m) for m in result] == [
        (2, "constant", "3", "(3 + 1)"),
        (5, "constant", "True", "False"),
        (8, "check", "x.ndim < LIMIT and not shared", "False"),
        (8, "comparison", "<", "<="),
        (8, "boolean", "and", "or"),
        (8, "boolean", "not shared", "bool(shared)"),
        (10, "returns", 'raw.Add(x, -x, axis=1, name="sum")', "None"),
        (10, "operands", "x, -x", "-x, x"),
        (10, "arithmetic", "-x", "x"),
        (10, "attr", "axis=1, ", ""),
        (10, "constant", "1", "(1 + 1)"),
        (10, "attr", 'name="sum"', ""),
        (13, "constant", "0", "(0 + 1)"),
        (14, "statement", "self.n = n + 2", "pass"),
        (14, "arithmetic", "+", "-"),
        (14, "constant", "2", "(2 + 1)"),
        (15, "returns", 'f"{n}"', "None"),
    ]
    functions = {m.line: (m.function, m.op) for m in result}
    assert functions[2] == functions[13] == ("file.py", "")
    assert functions[5] == ("file.py", "Twice")
    assert functions[10] == ("file.py:5", "") and functions[14] == ("file.py:13", "")
    planted = result[9].planted(TEXT)
    assert b'raw.Add(x, -x, name="sum")' in planted and is_python(result[9], TEXT)
    assert result[9].key(TEXT) == (
        "file.py twice",
        'return raw.Add(x, -x, axis=1, name="sum")',
        'return raw.Add(x, -x, name="sum")',
    )


LOCKED = b"""
class Table:
    def rows(self, more):
        if TYPE_CHECKING:
            return 1
        with self._lock, open("f"):
            kept = list(self._rows), np.array(more), more.copy()
        if kept is None:
            raise ValueError("none")
        elif more is None:
            self.log()
            raise ValueError("no more")
        return kept, more
"""


def test_lock_copy_check_and_return_mutants():
    result = [
        m
        for m in mutants("file.py", LOCKED)
        if m.operator not in ("comparison", "statement", "scope")
    ]
    assert [changes(m) for m in result] == [
        (6, "lock", "self._lock", '__import__("contextlib").nullcontext()'),
        (7, "copy", "list(self._rows)", "(self._rows)"),
        (7, "copy", "np.array", "np.asarray"),
        (7, "copy", "more.copy()", "(more)"),
        (8, "check", "kept is None", "False"),
        (10, "check", "more is None", "False"),
        (13, "returns", "kept, more", "more, kept"),
    ]
    assert {m.scope for m in result} == {"Table.rows"} and all(is_python(m, LOCKED) for m in result)


KEPT = b"""
def total(values, start, kind="sum"):
    if self._kept is None:
        self._kept = sorted(values, key=start)
    with scope(kind):
        try:
            first = values[0] if start is not None else start
            return add(first or 1, start)
        except KeyError:
            self.log()
        finally:
            for each in values:
                if each:
                    free(each)
"""


def test_attribute_forwarding_and_cleanup_mutants():
    others = ("comparison", "statement", "constant", "boolean", "returns")
    result = [m for m in mutants("file.py", KEPT) if m.operator not in others]
    assert [changes(m) for m in result] == [
        (2, "default", '"sum"', "None"),
        (3, "memo", "self._kept is None", "True"),
        (3, "memo", "self._kept is None", "False"),
        (4, "order", "sorted", "list"),
        (4, "argument", "key=start", ""),
        (5, "scope", "scope(kind)", '__import__("contextlib").nullcontext()'),
        (7, "default", "values[0] if start is not None else start", "(start)"),
        (7, "edge", "0", "-1"),
        (8, "default", "first or 1", "first"),
        (8, "argument", "start", ""),
        (10, "cleanup", "self.log()", "pass"),
        (12, "cleanup", FINALLY, "pass"),
        (12, "several", "values", "[*(values)][:1]"),
        (13, "branch", "each", "False"),
    ]
    assert all(is_python(m, KEPT) for m in result)


FINALLY = KEPT.decode().partition("finally:")[2].strip()

KERNEL = b"""// 1 + 1
#include "basics.h"
template <int N = 2>
T total_of(const T* x, Index count) {
  if (count <= 0) return 7;
  T total = std::min(x[0], x[1]);
  for (Index i = 2; i < count; ++i) total += x[i] * 3.5f;
  clear(x);
  return total;
}
"""


def test_kernel_mutants():
    result = native.mutants("kernels/cpu/file.cpp", KERNEL)
    assert [changes(m) for m in result] == [
        (5, "check", "count <= 0", "false"),
        (5, "comparison", "<=", "<"),
        (5, "constant", "0", "1"),
        (5, "constant", "7", "8"),
        (6, "comparison", "std::min", "std::max"),
        (6, "constant", "0", "1"),
        (6, "constant", "1", "2"),
        (7, "constant", "2", "3"),
        (7, "comparison", "<", "<="),
        (7, "arithmetic", "+=", "-="),
        (7, "arithmetic", "*", "+"),
        (8, "statement", "  clear(x)", ""),
    ]
    assert {m.scope for m in result} == {"total_of"}


def test_kernel_tests_start_with_mirroring_file():
    result = choosing.mirrors(ROOT, "kernels/cpu/softmax.cpp")
    assert result[0] == "tests/devices/host/native/test_softmax.py" and len(result) > 20
    assert choosing.mirrors(ROOT, "kernels/staging.cu")[0] == "tests/kernels/test_staging.py"


def test_offsets_count_bytes():
    (mutant,) = mutants("file.py", 'x = "é", 1 < y\n'.encode())[-1:]
    assert mutant.planted('x = "é", 1 < y\n'.encode()).decode() == 'x = "é", 1 <= y\n'


def test_invalid_python_is_skipped():
    assert not is_python(Mutant("f.py", 1, "f.py", "statement", 0, 1, "x", "("), b"x = 1\n")


def test_seed_is_reproducible(tmp_path):
    (tmp_path / "tfmini").mkdir()
    (tmp_path / "tfmini" / "file.py").write_bytes(TEXT)
    one, again, other = (list(choosing.draw(tmp_path, "tfmini", seed)) for seed in (1, 1, 2))
    assert one == again != other and set(one) == set(other) and len(one) == 17
    assert len(list(choosing.draw(tmp_path, "tfmini/file.py", 1))) == 17
    sampled = list(choosing.sample(tmp_path, ["tfmini", "tfmini/file.py"], 1))
    assert len(sampled) == 34 and set(sampled) == set(one)
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
def test_nearest_reaching_tests_are_selected(reach, line, seconds, chosen):
    mutant = Mutant(
        "tfmini/_src/ops/file.py", 6, "tfmini/_src/ops/file.py" + line, "constant", 0, 1, "", ""
    )
    assert [test.partition("::")[2] for test in reach.tests_of(mutant, seconds)] == chosen


def test_unmapped_file_runs_mirroring_folder(reach):
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


def test_declaration_tests(reach):
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


def test_missing_requirements_are_explained(tmp_path):
    command = [
        sys.executable,
        "-m",
        "ci.commands.mutation",
        "--reach",
        str(tmp_path),
        "tfmini/_src/base/nest",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "ci/mutants --map creates it" in done.stderr


EQUIVALENT = """# Those of a file.

tfmini/_src/ops/file.py twice
    - if x.ndim < LIMIT and not shared:
    + if x.ndim <= LIMIT and not shared:
    No array has LIMIT axes,
    as its caller says.
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A tree of one file with an equivalent mutant."""
    directory = tmp_path / "tfmini" / "_src" / "ops"
    directory.mkdir(parents=True)
    (directory / "file.py").write_bytes(TEXT)
    (tmp_path / "equivalent.txt").write_text(EQUIVALENT)
    monkeypatch.setattr(floors, "equivalents", lambda: listed(tmp_path / "equivalent.txt"))
    return tmp_path


listed = floors.equivalents
PACKAGE = "tfmini/_src/ops"


def test_equivalents_require_reasons(tree):
    assert list(floors.equivalents().values()) == ["No array has LIMIT axes, as its caller says."]
    assert floors.stale(tree) == []
    (tree / PACKAGE / "file.py").write_bytes(TEXT.replace(b"x.ndim < LIMIT", b"x.ndim < 3"))
    assert [key[0] for key in floors.stale(tree)] == ["tfmini/_src/ops/file.py twice"]


def test_listed_equivalents_exist():
    assert all(listed().values()) and floors.stale(ROOT) == []


def test_score_row(tree):
    outcomes = {"constant": "survived", "check": "timed out", "attr": "same"}
    row = floors.renew_row(
        tree, None, PACKAGE, 100, 1, lambda mutant: outcomes.get(mutant.operator, "killed")
    )
    assert (row.planted, row.killed, row.equivalent, len(row.survivors)) == (15, 9, 1, 5)
    assert row.score == 9 / 14 and row.floor == 0.8
    fields = ("15", "9", "1", "5", "64%", "64%", "80%", row.day)
    assert str(row) == f"| {PACKAGE} | {' | '.join(fields)} |"
    assert not floors.renew_row(tree, None, PACKAGE, 100, 1, lambda _: "unfinished").killed


def test_only_survivors_are_retried(tree):
    old = floors.renew_row(
        tree, None, PACKAGE, 14, 1, lambda m: "survived" if m.operator == "constant" else "killed"
    )
    tried = []

    def again(mutant):
        tried.append(mutant.operator)
        return "survived" if len(tried) == 1 else "killed"

    row = floors.renew_row(tree, old, PACKAGE, 14, 1, again)
    assert tried == ["constant"] * len(old.survivors) and len(tried) > 1
    assert row.planted == old.planted and row.equivalent == old.equivalent
    assert len(row.survivors) == 1 and row.survivors[0] in old.survivors
    assert row.at_first == old.killed and row.killed == old.killed + len(tried) - 1


def test_changed_folder_is_resampled(tree):
    old = floors.renew_row(tree, None, PACKAGE, 5, 1, lambda mutant: "killed")
    (tree / PACKAGE / "file.py").write_bytes(TEXT + b"MORE = 1\n")
    assert floors.digest(tree, PACKAGE) != old.digest
    tried = []
    floors.renew_row(tree, old, PACKAGE, 5, 1, lambda mutant: tried.append(mutant) or "killed")
    assert len(tried) >= 4


def test_rows_round_trip(tree):
    row = floors.renew_row(tree, None, PACKAGE, 9, 1, lambda mutant: "survived")
    floors.write({PACKAGE: row}, tree / "scores.json")
    kept = floors.rows(tree / "scores.json")
    assert kept == {PACKAGE: row}
    report = floors.report(kept)
    assert str(row) in report and report.count("- survived: ") == len(row.survivors)


def test_handwritten_mutants(tmp_path):
    (tmp_path / "file.py").write_bytes(TEXT)
    rows = [
        {"path": "file.py", "old": "not shared:", "new": "shared:", "subject": "The other way."},
        {"path": "file.py", "old": "LIMIT = 3", "new": "LIMIT = 4", "subject": "One more."},
    ]
    file = tmp_path / "faults"
    file.write_text("\n".join(map(json.dumps, rows)))
    first, second = handwritten.faults(tmp_path, file)
    assert (first.mutant.line, first.mutant.function) == (8, "file.py:5")
    assert first.mutant.planted(TEXT) == TEXT.replace(b"not shared:", b"shared:")
    assert (second.mutant.line, second.mutant.function) == (2, "file.py")
    for old in ("n", "no such text"):
        file.write_text(json.dumps({**rows[0], "old": old}))
        with pytest.raises(ValueError, match="faults:1: does not occur exactly once in file.py"):
            list(handwritten.faults(tmp_path, file))


def test_places_are_sampled_by_line(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "file.py").write_bytes(TEXT)
    (tmp_path / "package" / "none.py").write_text("")
    drawn = list(handwritten.places(tmp_path, ["package"], 50, 3))
    assert drawn == list(handwritten.places(tmp_path, ["package"], 50, 3))
    lines = TEXT.decode().splitlines()
    for location in drawn:
        path, line = location.split(":")
        assert path == "package/file.py" and lines[int(line) - 1].strip()


_STAND_IN = {
    "plain.py": "def one():\n    return 1\n",
    "tfmini/__init__.py": "",
    "tests/test_plain.py": """
import plain

STATE = []

def test_that_never_passes():
    assert plain.one() == 7

def test_that_leaves_something():
    STATE.append(plain.one())

def test_that_minds_it():
    assert STATE == [] or STATE == [1]

def test_the_answer():
    assert plain.one() == 1
""",
}
_TRIAL = """
import sys
from pathlib import Path
from ci.commands.mutation.operators import Mutant
from ci.commands.mutation.trial import Copy

copy = Copy(Path(sys.argv[1]), Path(sys.argv[2]))
text = Path(sys.argv[1], "plain.py").read_text()
start = text.index("1")
mutant = Mutant("plain.py", 2, "plain.py:1", "constant", start, start + 1, "1", "2")
for tests in (["tests/test_plain.py"], ["tests/test_plain.py::test_that_leaves_something"]):
    print(copy.run_mutant(mutant, tests, 60), copy.failed)
"""


def test_unrelated_failures_do_not_kill(tmp_path):
    """A test that fails without the mutant, or only after another test, does not kill it."""
    tree, copy = tmp_path / "tree", tmp_path / "copy"
    copy.mkdir()
    for name, text in _STAND_IN.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    command = [sys.executable, "-c", _TRIAL, str(tree), str(copy)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == [
        "killed tests/test_plain.py::test_the_answer",
        "survived ",
    ], done.stderr
