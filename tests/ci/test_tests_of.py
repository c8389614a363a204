"""ci/tests_of: from a file of tfmini to its tests; and no long file without one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ci.mutation import tests_of
from tests.ci.test_mutants import reach  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parents[2]
AGAIN = "make it again: ci/mutants --map"
NOTED = "write a test; then ci/mutants --map TEST... notes what it reaches"

# Long modules that no test reaches, each with its reason.
UNREACHED = {"tfmini/_src/contrib/learn/evaluable_and_trainable.py": "abstract methods alone"}


@pytest.fixture(scope="module")
def known():
    return tests_of.read()


@pytest.fixture(scope="module")
def long():
    return tests_of.long_modules()


def test_each_long_module_is_reached(known, long):
    unreached = {path for path in long if known.get(path) == []}
    assert unreached == set(UNREACHED), NOTED


def test_each_long_module_is_in_the_map_or_a_test_has_its_name_or_imports_it(known, long):
    """Of another that is newer than the map nobody knows whether a test reaches it."""
    newer = [
        path for path in long if path not in known and not (ROOT / tests_of.mirror(path)).is_file()
    ]
    texts = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py"))
    assert not [path for path in newer if not any(map(texts.count, tests_of.imports(path)))], NOTED


def test_the_map_is_not_old(known):
    """Nine of ten files and tests in it are there still."""
    files = [path for path in known if (ROOT / path).is_file()]
    assert len(files) > 0.9 * len(known), AGAIN
    tests = {test.partition("[")[0] for tests in known.values() for test in tests}
    texts = {name: there(ROOT / name) for name in {test.partition("::")[0] for test in tests}}
    found = [test for test in tests if defines(texts[test.partition("::")[0]], test)]
    assert len(found) > 0.9 * len(tests), AGAIN


def there(path):
    return path.read_text("utf-8") if path.is_file() else ""


def defines(text, test):
    return re.search(rf"\bdef {re.escape(test.rpartition('::')[2])}\b", text) is not None


@pytest.fixture
def in_short(tmp_path, monkeypatch):
    monkeypatch.setattr(tests_of, "IN_SHORT", tmp_path / "reached.txt")
    monkeypatch.setattr(tests_of, "ROOT", tmp_path)
    for name in ("tfmini/_src/ops/file.py", "tfmini/other.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tests_of.IN_SHORT


WHOLE = """\
tfmini/_src/ops/file.py
 ops/test_file.py::test_twice
 test_a.py::test_few\ttest_all
tfmini/other.py
 test_b.py::test_elsewhere
"""


def test_of_each_function_the_nearest_tests_are_written(reach, in_short):  # noqa: F811
    tests_of.renew(reach, whole=True)
    assert in_short.read_text().partition("\n")[2] == WHOLE
    assert tests_of.read()["tfmini/other.py"] == ["tests/test_b.py::test_elsewhere"]


def test_a_part_of_the_suite_adds_files_and_changes_none(reach, in_short):  # noqa: F811
    in_short.write_text("tfmini/other.py\n test_c.py::test_first\n")
    tests_of.renew(reach, whole=False)
    assert tests_of.read()["tfmini/other.py"] == ["tests/test_c.py::test_first"]
    assert len(tests_of.read()["tfmini/_src/ops/file.py"]) == 3


@pytest.mark.parametrize(
    "path, first",
    [
        ("tfmini/_src/formats/crc32c.py", "tests/formats/test_crc32c.py"),
        ("kernels/cpu/softmaxes.cpp", "tests/devices/native/test_softmax.py"),
        ("kernels/cpu/in_doubles.h", "tests/devices/native/test_elementwise_program.py"),
        ("kernels/sorting.cu", "tests/kernels/test_sorting.py"),
    ],
)
def test_what_mirrors_a_file_comes_first_and_as_a_whole(known, path, first):
    found = tests_of.tests_of(path, known)
    assert found[0] == first and not any(test.startswith(f"{first}::") for test in found)
    assert len(found) > 1 and len(found) == len(set(found))


def test_where_none_mirrors_a_file_those_of_its_folder_come_last(known):
    path = "tfmini/_src/programs/cli/record_report.py"
    found = tests_of.tests_of(path, known)
    found = [test for test in found if not test.startswith("tests/conformance/test_recorded")]
    assert found[-1].startswith("tests/programs/cli/test_") and "::" not in found[-1]
    assert "::" in found[0] and not tests_of.tests_of(path, {})


def test_what_imports_a_file_is_named_unless_many_do(known):
    parser = "tests/autograph/test_convert.py"
    assert parser in tests_of.tests_of("tfmini/_src/autograph/operators/lists.py", {})
    assert not tests_of.tests_of("tfmini/_src/ops/ops.py", {})


@pytest.mark.parametrize(
    "path, group",
    [
        ("tfmini/_src/contrib/crf/sequence_score.py", "contrib.crf-0"),
        ("tfmini/_src/contrib/crf/cells.py", "contrib.crf-0"),  # of its folder
    ],
)
def test_recorded_calls_of_public_names_come_last(known, path, group):
    test = "tests/conformance/test_recorded_calls.py::test_same_answers"
    assert f"{test}[{group}]" in tests_of.tests_of(path, known)[-12:]


def test_a_golden_program_with_the_op_of_a_file_is_named():
    golden = "tests/conformance/test_golden.py::test_same_graph_and_values"
    found = tests_of.tests_of("tfmini/_src/ops/datasets/parse_example_dataset.py", {})
    assert f"{golden}[data_features]" in found
    assert sum(test.startswith(golden) for test in found) == 1


def run(*arguments):
    command = [sys.executable, "-m", "ci.mutation.tests_of", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.thorough
def test_the_command(known):
    path = "tfmini/_src/formats/crc32c.py"
    shown = run(path)
    assert shown.returncode == 0 and shown.stdout.split() == tests_of.tests_of(path, known)
    done = run("--run", path)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout
    nothing = run("tfmini/none.py")
    assert nothing.returncode == 5 and "no test is known to reach it" in nothing.stderr


def test_long_modules_that_no_test_reaches_have_a_line(reach, in_short):  # noqa: F811
    function = "def f():\n    return 1\n"
    for name, lines in (("long", 39), ("short", 38)):
        (in_short.parent / "tfmini" / f"{name}.py").write_text(function + "x = 1\n" * lines)
    (in_short.parent / "tfmini" / "table.py").write_text("x = 1\n" * 100)
    assert tests_of.long_modules() == ["tfmini/long.py"]
    tests_of.renew(reach, whole=True)
    assert tests_of.read()["tfmini/long.py"] == []
