"""`run` in this process: program selection, step observers, messages about missing files."""

import os
import sys

import pytest

from tfmini._src.programs import cli
from tfmini._src.programs.cli import run as command
from tfmini._src.programs.runner.programs import NoProgramError, Program


@pytest.fixture
def calls(monkeypatch):
    """The calls of the command, in order."""
    result = []
    program = Program(lambda: [], "program", None)

    def note(name, answer=None):
        return lambda *given: result.append((name, *given)) or answer

    monkeypatch.setattr(command, "follow_launcher", note("follow"))
    monkeypatch.setattr(command, "install", note("install"))
    monkeypatch.setattr(command.removed_names, "install", note("removed names"))
    monkeypatch.setattr(command, "show_plain_scalars", lambda: None)
    for name in ("module", "text", "script"):
        monkeypatch.setattr(command.programs, name, note(name, program))
    monkeypatch.setattr(command.notebooks, "notebook", note("notebook", program))
    monkeypatch.setattr(
        command.programs, "run", lambda given, rest: result.append(("run", given is program, rest))
    )
    monkeypatch.setattr(command.run_hooks, "watch", note("watch"))
    monkeypatch.setattr(command.run_hooks, "end", note("end"))
    return result


@pytest.mark.parametrize(
    "arguments, strict, made, rest",
    [
        (
            ["train.py", "--strict", "-m", "x"],
            False,
            ("script", "train.py"),
            ["--strict", "-m", "x"],
        ),
        (["--strict", "-", "a"], True, ("script", "-"), ["a"]),
        (["a.ipynb"], False, ("notebook", "a.ipynb"), []),
        (["a.ipynb/x", "b.ipynb"], False, ("script", "a.ipynb/x"), ["b.ipynb"]),
        (
            ["-m", "package.part", "-c", "--profile"],
            False,
            ("module", "package.part"),
            ["-c", "--profile"],
        ),
        (["--strict", "-c", "x = 1", "-m"], True, ("text", "x = 1"), ["-m"]),
        (["-m", "a.ipynb"], False, ("module", "a.ipynb"), []),
    ],
)
def test_program_selection(calls, arguments, strict, made, rest):
    assert cli.main(["run", *arguments]) == 0
    supplied = [] if strict else [("removed names",)]
    expected = [("follow",), ("install", strict), *supplied, made, ("run", True, rest)]
    assert calls == expected


@pytest.mark.parametrize("fails", [False, True])
def test_observers_stop_after_failure(calls, monkeypatch, tmp_path, capsys, fails):
    """A trace and a profile, from before the first step until after the last one, even if it fails."""

    def ends(program, rest):
        calls.append(("run",))
        if fails:
            raise KeyboardInterrupt("mine")

    monkeypatch.setattr(command.programs, "run", ends)
    path = str(tmp_path / "trace.json")
    arguments = ["run", "--trace", path, "--profile", "train.py"]
    if fails:
        with pytest.raises(KeyboardInterrupt, match="mine"):
            cli.main(arguments)
    else:
        assert cli.main(arguments) == 0
    names = [
        (call[0], type(call[1].__self__).__name__) for call in calls if call[0] in ("watch", "end")
    ]
    both = ("TraceFile", "Profile")
    assert names == [*(("watch", n) for n in both), *(("end", n) for n in both)]
    assert [call[0] for call in calls][-5:] == ["watch", "watch", "run", "end", "end"]
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"tfmini: {path} has 1 events of 0 steps"
    assert lines[1:3] == ["", "tfmini: profile"]
    assert lines[3].startswith("0 steps, 0 of them compiled")


def test_no_observers_without_options(calls, capsys):
    cli.main(["run", "train.py"])
    assert not {"watch", "end"} & {call[0] for call in calls} and capsys.readouterr().err == ""
    cli.main(["run", "--profile", "train.py"])
    assert [call[0] for call in calls][-3:] == ["watch", "run", "end"]
    assert "tfmini: profile" in capsys.readouterr().err


def test_missing_trace_directory_is_an_error(calls, monkeypatch, tmp_path, capsys):
    path = str(tmp_path / "none" / "trace.json")
    assert cli.main(["run", "--trace", path, "train.py"]) == 2
    text = f"python -m tfmini run: --trace {path}: {os.strerror(2)}\n"
    assert capsys.readouterr() == ("", text) and ("run", True, []) not in calls

    def cannot(name):
        raise NoProgramError(f"no {name}")

    def refused(strict):
        raise ImportError("another\ntensorflow")

    monkeypatch.setattr(command.programs, "script", cannot)
    assert cli.main(["run", "train.py"]) == 2
    assert capsys.readouterr().err == "python -m tfmini run: no train.py\n"
    monkeypatch.setattr(command, "install", refused)
    assert cli.main(["run", "train.py"]) == 2
    assert capsys.readouterr().err == "python -m tfmini run: another\ntensorflow\n"
    calls.clear()
    with pytest.raises(SystemExit, match="2"):
        cli.main(["run", "--strict"])
    assert "a program is required: PROGRAM, -m MODULE or -c CODE" in capsys.readouterr().err
    assert calls == [("follow",)]


def test_broken_pipe_is_handled_by_program(calls, monkeypatch):
    """A program that is run handles it itself; any other command ends."""

    def closed(*args):
        raise BrokenPipeError("closed")

    monkeypatch.setattr(command.programs, "run", closed)
    with pytest.raises(BrokenPipeError, match="closed"):
        cli.main(["run", "train.py"])
    messages = []
    monkeypatch.setattr(
        sys, "stderr", type("Stream", (), {"close": lambda self: messages.append("closed")})()
    )
    monkeypatch.setattr(cli.devices, "devices_report", closed)
    assert cli.main(["devices"]) == 0 and messages == ["closed"]
