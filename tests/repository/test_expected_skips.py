"""A test skipped for an unexpected reason fails."""

import os
import pathlib
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.support import expected_skips
from tests.support.expected_skips import judge

ROOT = pathlib.Path(__file__).resolve().parents[2]


def report(reason, *marks):
    where = ("file.py", 3, f"Skipped: {reason}")
    return SimpleNamespace(
        failed=False, skipped=True, outcome="skipped", longrepr=where, keywords=marks
    )


@pytest.mark.parametrize(
    "reason", ["no TensorFlow 1.15.5 here: ci/reference installs it", "needs g++ on Linux"]
)
def test_expected_skip_passes(reason):
    assert judge(report(reason)).outcome == "skipped"


def test_tool_skips_require_marker():
    """ci/check runs the marked tests."""
    assert judge(report("needs CuPy", "tools")).outcome == "skipped"
    assert judge(report("needs CuPy")).outcome == "failed"


@pytest.mark.parametrize(
    "reason",
    ["could not import 'yaml': No module named 'yaml'", "flaky", "", "flaky, for it needs g++"],
)
def test_unexpected_skip_fails(reason):
    result = judge(report(reason))
    assert result.outcome == "failed"
    assert reason in result.longrepr


@pytest.mark.parametrize("text", ["No module named 'absent'", "absent is here, and 1 != 2"])
def test_missing_wheel_counts_as_skipped(monkeypatch, text):
    """Only on a new Python, and only for this reason."""
    failure = SimpleNamespace(failed=True, outcome="failed", longrepr=text, fspath="a.py")
    failure.skipped = False
    assert judge(failure).outcome == "failed"
    monkeypatch.setattr(expected_skips, "_IS_NEW_PYTHON", True)
    monkeypatch.setitem(expected_skips._WITHOUT_WHEELS, "absent", "No module named 'absent'")
    is_for_want = text.startswith("No module")
    assert judge(failure).outcome == ("skipped" if is_for_want else "failed")
    if is_for_want:
        assert failure.longrepr[2] == "Skipped: could not import 'absent'"


@pytest.mark.parametrize("outcome", ["skipped", "passed"])
def test_xfail_is_forbidden(outcome):
    """A test that fails as expected is reported as skipped."""
    made = report("flaky")
    made.skipped, made.outcome, made.wasxfail = outcome == "skipped", outcome, "a known defect"
    assert judge(made).outcome == "failed"
    assert "a known defect" in made.longrepr


def test_run_with_xfail_or_unexpected_skip_fails(tmp_path):
    """As reported by pytest: also a test that passes although it is expected to fail, and a skipped file."""
    (tmp_path / "conftest.py").write_text(
        "from tests.conftest import pytest_make_collect_report, pytest_runtest_makereport\n"
    )
    (tmp_path / "test_file.py").write_text(
        "import pytest\n\npytest.skip('flaky', allow_module_level=True)\n"
    )
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n@pytest.mark.xfail\n@pytest.mark.parametrize('n', [0, 1])\n"
        "def test_it(n):\n    assert n\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--continue-on-collection-errors",
        "-c",
        os.devnull,
        str(tmp_path),
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 1 and "2 failed, 1 error" in done.stdout, done.stdout
