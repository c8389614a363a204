"""Table cells of `inspect` and `check`; terminal control sequences are escaped in all of their output."""

import argparse
import sys

import pytest

from tfmini._src.base import proto
from tfmini._src.programs.cli.check import run as check
from tfmini._src.programs.cli.inspect import run as inspect
from tfmini._src.programs.cli.reports import _aligned_lines, cell, first_rows


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "-"),
        (True, "yes"),
        (False, "no"),
        (0.123456789, "0.123457"),
        (12, "12"),
        ("name", "name"),
        ("two\nlines", r"two\nlines"),
        (b"text", "'text'"),
        (b"\xff\x00", "ff00"),
    ],
)
def test_cell_text(value, text):
    assert cell(value) == text


HOSTILE = "\x1b]0;owned\x07"


@pytest.mark.parametrize("is_terminal", [False, True])
def test_control_sequences_are_escaped(tmp_path, monkeypatch, capsys, is_terminal):
    """Neither op types, nor tags, nor file names."""
    saved = proto.SavedModel()
    meta_graph = saved.meta_graphs.add()
    meta_graph.meta_info_def.tags.append(HOSTILE)
    meta_graph.graph_def.node.add(name=HOSTILE, op=HOSTILE)
    meta_graph.signature_def[HOSTILE].inputs[HOSTILE].name = HOSTILE
    directory = tmp_path / HOSTILE.replace("/", "")
    directory.mkdir()
    (directory / "saved_model.pb").write_bytes(saved.SerializeToString())
    frozen = directory / "frozen.pb"
    frozen.write_bytes(meta_graph.graph_def.SerializeToString())
    program = directory / "program.py"
    program.write_text("import tensorflow as tf\ntf.no_such_name\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    for path in (directory, frozen, directory / "missing"):
        inspect(argparse.Namespace(path=str(path), tensor=None, diff=None, json=False))
    for path in (program, directory / "missing.py"):
        check(
            argparse.Namespace(paths=[str(path)], strict=False, json=False, fix=False, diff=False)
        )
    out, err = capsys.readouterr()
    printed = (out + err).replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert "\\x1b]0;owned\\x07" in out.replace("\n", "") and "owned" in err
    assert not {"\x07", "\x1b]"} & {printed[i : i + n] for i in range(len(printed)) for n in (1, 2)}


@pytest.mark.parametrize("most, shown, left", [(5, 3, 0), (3, 3, 0), (2, 2, 1), (0, 0, 3)])
def test_omitted_rows_are_counted(most, shown, left):
    section = first_rows("names", ("name", "size"), [("a", 1), ("b", 200), ("long", None)], most)
    assert (len(section.rows), section.left_out) == (shown, left)


def test_numbers_are_right_aligned():
    section = first_rows("names", ("name", "size"), [("a", 1), ("long", 20000), ("c", 3)], 2)
    assert _aligned_lines(section) == [
        "names",
        "name   size",
        "a         1",
        "long  20000",
        "... and 1 more",
    ]
