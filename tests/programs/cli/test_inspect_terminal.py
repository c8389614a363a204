"""The output of `inspect` on a terminal."""

import io
import sys
from pathlib import Path

import pytest

from tfmini._src.programs.cli.inspect import inspect_path
from tfmini._src.programs.cli.reports import Report, Section
from tfmini._src.programs.cli.terminal_report import show

GOLDEN = Path(__file__).parents[2] / "golden"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_terminal_tables_use_rich(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    show(inspect_path(str(GOLDEN / "inspected" / "frozen.pb")))
    text = terminal.getvalue()
    assert "\x1b[1m" in text
    assert "layer/weights" in text and "ops that tfmini lacks: ImmutableConst" in text


ADVICE = "use tf.distribute.MirroredStrategy instead"
ROW = "model/train_network.py:12", "missing", "tf.contrib.distribute.Collective", ADVICE, None
WIDE = ["place", "kind", "name", "instead", *ROW[:3], *ADVICE.split()]
NARROW = [*ROW[:1], "kind:", "missing", "name:", ROW[2], "instead:", *ADVICE.split()]


@pytest.mark.parametrize("columns, words", [(120, WIDE), (80, NARROW)])
def test_columns_wrap_between_words(monkeypatch, columns, words):
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", str(columns))
    # Without LINES, rich assumes 80 columns for a dumb terminal.
    monkeypatch.setenv("LINES", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    heads = ("place", "kind", "name", "instead", "never filled")
    show(Report("check", "model", [], [], [Section("", heads, [ROW])]))
    _, table = sys.stdout.getvalue().split("\n\n")
    assert table.split() == words


def test_names_are_not_parsed_as_markup(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "1000")  # the path is on one line
    path = tmp_path / "[bold]red[nothing]"
    path.write_bytes((GOLDEN / "inspected" / "frozen.pb").read_bytes())
    show(inspect_path(str(path)))
    assert "[bold]red[nothing]" in sys.stdout.getvalue()
