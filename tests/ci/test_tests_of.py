"""ci/tests_of: from a file of tfmini to its tests."""

import subprocess
import sys
from pathlib import Path

import pytest

from ci.commands.mutation import tests_of
from tests.ci.test_mutants import reach  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parents[2]


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


def test_nearest_tests_are_recorded_per_function(reach, in_short):  # noqa: F811
    tests_of.renew(reach, whole=True)
    assert in_short.read_text().partition("\n")[2] == WHOLE
    assert tests_of.read()["tfmini/other.py"] == ["tests/test_b.py::test_elsewhere"]


def test_partial_run_only_adds_files(reach, in_short):  # noqa: F811
    in_short.write_text("tfmini/other.py\n test_c.py::test_first\n")
    tests_of.renew(reach, whole=False)
    assert tests_of.read()["tfmini/other.py"] == ["tests/test_c.py::test_first"]
    assert len(tests_of.read()["tfmini/_src/ops/file.py"]) == 3


@pytest.mark.parametrize(
    "path, first",
    [
        ("tfmini/_src/formats/crc32c.py", "tests/formats/test_crc32c.py"),
        ("kernels/cpu/softmax.cpp", "tests/devices/host/native/test_softmax.py"),
        (
            "kernels/cpu/elementwise_program.h",
            "tests/devices/host/native/test_elementwise_program.py",
        ),
        ("kernels/argsort.cu", "tests/kernels/test_argsort.py"),
    ],
)
def test_mirroring_test_file_comes_first(path, first):
    result = tests_of.tests_of(path, {})
    assert result[0] == first and not any(test.startswith(f"{first}::") for test in result)
    assert len(result) > 1 and len(result) == len(set(result))


def test_folder_tests_come_last():
    path = "tfmini/_src/programs/cli/record_report.py"
    nearest = "tests/programs/cli/test_inspect.py::test_records"
    result = tests_of.tests_of(path, {path: [nearest]})
    result = [test for test in result if not test.startswith("tests/conformance/test_recorded")]
    assert result[0] == nearest and "tests/programs/cli/test_whole_reports.py" in result
    above = tests_of.tests_of("tfmini/_src/executor/tracing/recorder.py", {})
    assert "tests/executor/test_plan.py" in above


def test_missing_map_adds_folder_tests():
    path, other = "tfmini/_src/formats/crc32c.py", "tests/formats/test_snappy.py"
    assert other in tests_of.tests_of(path, {}) and other not in tests_of.tests_of(path, {path: []})


def test_missing_map_or_file_yields_no_tests(in_short):
    assert tests_of.read() == {} and tests_of.tests_of("tfmini/gone.py", {}) == []


def test_importing_tests_are_listed_unless_many():
    parser = "tests/autograph/test_convert.py"
    assert parser in tests_of.tests_of("tfmini/_src/autograph/verbosity.py", {})
    one_of_many = "tests/executor/test_alias.py"
    assert one_of_many not in tests_of.tests_of("tfmini/_src/compiler/program/debug.py", {})


@pytest.mark.parametrize(
    "path, group",
    [
        ("tfmini/_src/contrib/crf/sequence_score.py", "contrib.crf-0"),
        ("tfmini/_src/contrib/crf/cells.py", "contrib.crf-0"),  # from its folder
    ],
)
def test_recorded_calls_come_last(path, group):
    test = "tests/conformance/test_recorded_calls.py::test_same_answers"
    assert f"{test}[{group}]" in tests_of.tests_of(path, {})[-12:]


def test_golden_program_with_op_is_listed():
    golden = "tests/conformance/test_golden.py::test_same_graph_and_values"
    result = tests_of.tests_of("tfmini/_src/ops/datasets/parse_example_dataset.py", {})
    assert f"{golden}[data_features]" in result
    assert sum(test.startswith(golden) for test in result) == 1


@pytest.mark.parametrize(
    "path, scene",
    [
        ("tfmini/_src/models/keras/metrics/auc.py", "models_measured-metrics"),
        ("tfmini/_src/contrib/timeseries/states.py", "contrib_series-heads"),  # from its folder
    ],
)
def test_scenes_with_public_names_come_first(path, scene):
    package = path.split("/")[2]
    result = tests_of.tests_of(path, {})
    others = f"tests/{package}/test_scenes.py"
    assert result.index(f"{others}::test_scene[{scene}]") < result.index(others)


def run(*arguments):
    command = [sys.executable, "-m", "ci.commands.mutation.tests_of", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.full
def test_command_lists_and_runs_tests():
    path = "tfmini/_src/base/records/__init__.py"
    shown = run(path)
    assert shown.returncode == 0 and shown.stdout.split() == tests_of.tests_of(path, {})
    done = run("--run", path)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout
    nothing = run("tfmini/none.py")
    assert nothing.returncode == 5 and "no test is known to reach it" in nothing.stderr
