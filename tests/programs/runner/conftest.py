"""One-time notices of the runner."""

import pytest

from tfmini._src.programs.hook import warn_once


@pytest.fixture
def messages(monkeypatch):
    """The distinct notices of a test, in order."""
    result = []
    monkeypatch.setattr(warn_once, "_warned", set())
    monkeypatch.setattr(
        warn_once.logs, "warning", lambda text, line, message: result.append(message)
    )
    return result
