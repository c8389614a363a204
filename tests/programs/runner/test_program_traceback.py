"""Tracebacks of failing programs: only frames from the program's first code on."""

import linecache
import sys
import traceback

import pytest

from tfmini._src.programs.runner import program_traceback
from tfmini._src.programs.runner.program_traceback import own_frames, report_as_python

SOURCE = "def f(again):\n    again and f(again - 1)\n    1 / 0\n\nrun()\n"


def caught(code, run):
    try:
        exec(code, {"run": run})
    except ZeroDivisionError as error:
        return error.__traceback__


def frame_lines(result):
    return [(each.f_code.co_name, line) for each, line in traceback.walk_tb(result)]


def test_traceback_starts_at_program():
    """Earlier frames and those of the runner's folder are left out, also between others; lines stay."""
    code = compile(SOURCE.replace("run()", "f(2)"), "train.py", "exec")
    result = caught(code, None)
    assert frame_lines(result)[0][0] == "caught"
    retained = own_frames(result, [code])
    assert frame_lines(retained) == [("<module>", 5), ("f", 2), ("f", 2), ("f", 3)]
    entries = traceback.extract_tb(retained)
    assert {each.filename for each in entries} == {"train.py"}
    other = compile("pass", "train.py", "exec")
    assert own_frames(result, [other]) is None and own_frames(result, []) is None
    assert own_frames(None, [code]) is None
    assert frame_lines(own_frames(result, [other, code])) == frame_lines(retained)


def test_runner_frames_are_omitted():
    runner = compile(
        "def through(f):\n    f()\n", program_traceback._PACKAGE_DIRECTORY + "x.py", "exec"
    )
    names = {}
    exec(runner, names)

    def fails():
        return 1 // 0

    code = compile("run()", "train.py", "exec")
    kept = own_frames(caught(code, lambda: names["through"](fails)), [code])
    assert [name for name, _ in frame_lines(kept)] == ["<module>", "<lambda>", "fails"]


@pytest.mark.parametrize("is_cached", [False, True])
@pytest.mark.parametrize("has_hook", [False, True])
def test_program_excepthook_is_called(monkeypatch, capsys, has_hook, is_cached):
    """Python's default hook prints; lines without a file are read from the cache."""
    told = []
    code = compile(SOURCE.replace("run()", "f(0)"), "cell 3", "exec")
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    if is_cached:
        lines = (0, None, SOURCE.splitlines(keepends=True), "cell 3")
        monkeypatch.setitem(linecache.cache, "cell 3", lines)
    with pytest.raises(ZeroDivisionError) as error:
        with report_as_python([code]):
            if has_hook:
                monkeypatch.setattr(sys, "excepthook", lambda *given: told.append(given))
            exec(code, {})
    sys.excepthook(ZeroDivisionError, error.value, error.value.__traceback__)
    assert frame_lines(error.value.__traceback__) == [("<module>", 5), ("f", 3)]
    if has_hook:
        ((kind, value, kept),) = told
        assert kind is ZeroDivisionError and value is error.value
        assert frame_lines(kept) == [("<module>", 5), ("f", 3)]
    printed = capsys.readouterr().err
    assert ("ZeroDivisionError: division by zero\n" in printed) == (not has_hook)
    assert ("\n    1 / 0\n" in printed) == (is_cached and not has_hook)


def test_normal_exit_keeps_excepthook():
    hook = sys.excepthook
    with report_as_python([]):
        pass
    with pytest.raises(SystemExit, match="3"), report_as_python([]):
        sys.exit(3)
    assert sys.excepthook is hook


def test_python2_syntax_error_is_explained(monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    with pytest.raises(SyntaxError, match=r"print.* \(this is Python 2: "):
        with report_as_python([]):
            compile("print 'x'\n", "old.py", "exec")
    for source in ("xrange", "import cPickle"):
        with pytest.raises((ImportError, NameError), match="xrange|cPickle") as missing:
            with report_as_python([]):
                exec(source, {})
        (note,) = missing.value.__notes__
        assert note.startswith("This is Python 2: `pip install 'tfmini-runtime[python2]'`")
    with pytest.raises(NameError, match="x") as other, report_as_python([]):
        exec("x", {})
    assert not hasattr(other.value, "__notes__")
    with pytest.raises(SyntaxError) as caught_error, report_as_python([]):
        compile("x = = 3\n", "new.py", "exec")
    assert "Python 2" not in str(caught_error.value)
