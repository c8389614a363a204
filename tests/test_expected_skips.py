"""A test that is skipped for a reason that nobody expects fails."""

from types import SimpleNamespace

import pytest

from tests.expected_skips import judged


def report(reason, *marks):
    where = ("file.py", 3, f"Skipped: {reason}")
    return SimpleNamespace(skipped=True, outcome="skipped", longrepr=where, keywords=marks)


@pytest.mark.parametrize("reason", ["thorough: ci/check runs it", "needs g++ on Linux"])
def test_expected(reason):
    assert judged(report(reason)).outcome == "skipped"


def test_what_needs_tools_is_marked_so():
    """For ci/check runs what is marked."""
    assert judged(report("needs CuPy", "tools")).outcome == "skipped"
    assert judged(report("needs CuPy")).outcome == "failed"


@pytest.mark.parametrize("reason", ["could not import 'h5py': No module named 'h5py'", "flaky", ""])
def test_unexpected(reason):
    made = judged(report(reason))
    assert made.outcome == "failed"
    assert reason in made.longrepr


def test_what_fails_as_it_shall_is_no_skip():
    expected_failure = report("flaky")
    expected_failure.wasxfail = "reason"
    assert judged(expected_failure).outcome == "skipped"
