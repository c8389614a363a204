"""Names that a table adds to 1.15.5's, or replaces."""

import os

import pytest

from tfmini._src.programs.hook import extra_names


@pytest.fixture
def added(monkeypatch):
    """A table with an old name, a replaced name, and a module missing in 1.15.5."""
    table = {
        "": {"mul": lambda: "old", "add": lambda: "other"},
        "models.rnn.ptb": {"reader": lambda: "read"},
    }
    monkeypatch.setattr(extra_names, "ADDITIONS", table)


def test_extra_names_and_modules_are_added(added, tensorflow):
    from tensorflow.models.rnn.ptb import reader

    assert (tensorflow.mul, tensorflow.add, reader) == ("old", "other", "read")
    assert tensorflow.models.rnn.ptb.reader == "read"
    assert {"mul", "add", "subtract"} <= set(dir(tensorflow))


def test_strict_mode_adds_no_names(added, tensorflow, monkeypatch):
    monkeypatch.setitem(os.environ, extra_names.STRICT_VARIABLE, "1")
    assert not hasattr(tensorflow, "mul") and callable(tensorflow.add)
    with pytest.raises(ModuleNotFoundError, match="No module named 'tensorflow.models'"):
        import tensorflow.models
