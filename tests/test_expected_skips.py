"""A test that is skipped for a reason that nobody expects fails."""

from types import SimpleNamespace

import pytest

from tests.expected_skips import judged


def report(reason, outcome="skipped"):
    return SimpleNamespace(
        skipped=outcome == "skipped", outcome=outcome, longrepr=("file.py", 3, f"Skipped: {reason}")
    )


@pytest.mark.parametrize(
    "reason",
    ["thorough: ci/check runs it", "needs g++ on Linux", "could not import 'cupy': No module"],
)
def test_expected(reason):
    assert judged(report(reason)).outcome == "skipped"


@pytest.mark.parametrize("reason", ["could not import 'h5py': No module named 'h5py'", "flaky", ""])
def test_unexpected(reason):
    made = judged(report(reason))
    assert made.outcome == "failed"
    assert reason in made.longrepr


def test_what_fails_as_it_shall_is_no_skip():
    expected_failure = report("flaky")
    expected_failure.wasxfail = "reason"
    assert judged(expected_failure).outcome == "skipped"
