"""What the runner says once."""

import pytest

from tfmini._src.programs.hook import warn_once


@pytest.fixture
def said(monkeypatch):
    """All that is said in a test, in order, each once."""
    found = []
    monkeypatch.setattr(warn_once, "_warned", set())
    monkeypatch.setattr(warn_once.logs, "warning", lambda text, line, said: found.append(said))
    return found
