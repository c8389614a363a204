"""One-time notices of the runner."""

import pytest

from tfmini._src.programs.hook import warn_once


@pytest.fixture
def said(monkeypatch):
    """The distinct notices of a test, in order."""
    found = []
    monkeypatch.setattr(warn_once, "_warned", set())
    monkeypatch.setattr(warn_once.logs, "warning", lambda text, line, said: found.append(said))
    return found
