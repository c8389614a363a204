"""Notebook magics: skipped and executed ones, and the names that they read and assign."""

import io
import os
import sys

import pytest

from tfmini._src.programs.runner import magics


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"n": 3, "word": "a b"}

    def compiled(text):
        return [compile(text, "cell", "exec")]

    return magics.Shell(names, compiled)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("{n + 1} $n $word", "4 3 a b"),
        ("{n}{word}", "3a b"),
        ("$missing {missing} ${n}", "$missing {missing} ${n}"),
        ("$$n {{n}} $$", "$n {n} $"),
        ("awk '{print $1}' $n_", "awk '{print $1}' $n_"),
        ("{}", "{}"),
        ("{n!}", "{n!}"),
    ],
)
def test_shell_commands_expand_names(shell, text, expected):
    assert shell._expand(text) == expected


@pytest.mark.parametrize(
    "command, skipped",
    [
        ("pip install x", True),
        ("  sudo pip3 install x", True),
        ("python -m pip -q install x", True),
        ("/usr/bin/python3 -m pip install x", True),
        ("apt-get -y install x", True),
        ("conda install x", True),
        ("easy_install install", True),
        ("pip list", False),
        ("echo pip install", False),
        ("pipx install", False),
        ("pip installation", False),
    ],
)
def test_install_commands_are_skipped(command, skipped):
    assert bool(magics.INSTALLERS.match(command)) == skipped


def test_shell_commands(shell, capfd):
    shell.system("echo $n {word}")
    assert capfd.readouterr().out == "3 a b\n" and shell.user_ns["_exit_code"] == 0
    shell.system("exit 7")
    assert shell.user_ns["_exit_code"] == 7
    shell.run_line_magic("pip", "install {word}")
    assert capfd.readouterr().err == "skipped, installs packages: pip install a b\n"
    assert shell.user_ns["_exit_code"] == 7
    assert shell.getoutput("echo one; echo two >&2; echo {n}") == ["one", "two", "3"]
    assert shell.run_line_magic("sx", "echo $n") == ["3"]
    assert shell.run_line_magic("system", "true") == []
    for name in ("bash", "sh", "system", "sx", "!"):
        shell.run_cell_magic(name, "", "echo here\nexit 2\n")
        assert capfd.readouterr().out == "here\n" and shell.user_ns.pop("_exit_code") == 2


def test_display_magics_are_skipped(shell, capfd):
    assert shell.run_line_magic("matplotlib", "inline") is None
    assert shell.magic("%load_ext autoreload") is None
    assert shell.run_cell_magic("html", "", "<b>{n}</b>") is None
    shell.events.register("post_execute", print)
    shell.events.unregister("post_execute", print)
    assert capfd.readouterr() == ("", "")
    shell.magic("%tensorboard --logdir $word")
    assert "run tensorboard --logdir a b" in capfd.readouterr().err


def test_directory_and_environment_magics(shell, tmp_path, monkeypatch):
    (tmp_path / "a b").mkdir()
    shell.magic("cd '$word'")
    assert os.getcwd() == shell.run_line_magic("pwd", "") == str(tmp_path / "a b")
    monkeypatch.setenv("HOME", str(tmp_path))
    shell.magic("%cd")
    assert os.getcwd() == str(tmp_path)
    shell.magic('%cd "~/a b"')
    assert os.getcwd() == str(tmp_path / "a b")
    for line in ("THIS_ONE=$n", "THIS_ONE = 3 ", "THIS_ONE 3"):
        monkeypatch.setenv("THIS_ONE", "before")
        assert shell.run_line_magic("env", line) is None
        assert os.environ["THIS_ONE"] == "3"
    assert shell.run_line_magic("set_env", "THIS_ONE") == "3"
    assert shell.run_line_magic("env", "NO_SUCH_ONE") is None
    everything = shell.run_line_magic("env", "")
    assert everything["THIS_ONE"] == "3" and everything is not os.environ


def test_writefile_magics(shell, tmp_path):
    shell.run_cell_magic("writefile", "one.py", "x = {n}\n")
    assert (tmp_path / "one.py").read_text() == "x = {n}\n"
    shell.run_cell_magic("file", "one.py", "y = 1\n")
    assert (tmp_path / "one.py").read_text() == "y = 1\n"
    shell.run_cell_magic("writefile", "-a one.py", "x = n + y\n")
    shell.run_line_magic("run", "one.py")
    assert (shell.user_ns["x"], shell.user_ns["y"]) == (4, 1)


def test_time_magic_prints_after_execution(shell, capsys):
    assert shell.run_line_magic("time", "m = n + 1") is None
    assert shell.user_ns["m"] == 4
    assert capsys.readouterr().out.startswith("Wall time: ")
    shell.run_cell_magic("time", "", "k = m + 1\nprint('said')")
    assert shell.user_ns["k"] == 5
    assert capsys.readouterr().out.startswith("said\nWall time: ")
    shell.run_cell_magic("capture", "", "k = 7")
    assert shell.user_ns["k"] == 7 and capsys.readouterr().out == ""
    shell.run_line_magic("prun", "k = 8")
    assert shell.user_ns["k"] == 8 and capsys.readouterr().out.startswith("Wall time: ")


def test_timeit_sees_notebook_names(shell, capsys):
    shell.user_ns["calls"] = []
    shell.run_line_magic("timeit", "-n 2 -r 3 calls.append(n)")
    assert shell.user_ns["calls"] == [3] * 6
    assert "per loop (mean ± std. dev. of 3 runs, 2 loops each)" in capsys.readouterr().out
    shell.run_cell_magic("timeit", "-r1 -n1 calls.clear()", "calls.append(n)\ncalls.append(4)")
    assert shell.user_ns["calls"] == [3, 4]
    assert "of 1 run, 1 loop each)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "line, parts",
    [
        ("-n 10 x + 1", ("-n 10", "x + 1")),
        ("-n10 -r 3 f(-n)", ("-n10 -r 3", "f(-n)")),
        ("-x", ("-x", "")),
        ("a - b", ("", "a - b")),
        ("  -q  a\nb", ("  -q", "a\nb")),
    ],
)
def test_timeit_options(line, parts):
    assert magics._split_timeit_line(line) == parts


@pytest.mark.parametrize(
    "seconds, text",
    [(1.5, "1.5 s"), (1.0, "1 s"), (0.01234, "12.3 ms"), (1e-3, "1 ms"), (2.5e-6, "2.5 μs")]
    + [(1e-6, "1 μs"), (9.5e-7, "950 ns"), (0.0, "0 ns"), (123.4, "123 s")],
)
def test_times_have_three_significant_digits(seconds, text):
    assert magics._time_text(seconds) == text


def test_ascii_stream_receives_ascii(shell, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    shell.run_line_magic("timeit", "-n 1 -r 1 n")
    stream.flush()
    assert (
        b"+- " in stream.buffer.getvalue()
        and b"(mean +- std. dev. of 1 run," in stream.buffer.getvalue()
    )


def test_unsupported_magics_are_named(shell):
    with pytest.raises(NotImplementedError, match="^%who: not supported"):
        shell.magic("%who")
    with pytest.raises(NotImplementedError, match="^%%cython: .* Remove the cell.$"):
        shell.run_cell_magic("cython", "", "x")


class Timer:
    """A timer with fixed statement durations in seconds, which runs five loops in a fifth of a second."""

    made = []
    taken = (1.0, 2.0, 3.0)

    def __init__(self, source, setup, globals):
        self.made.append((source, setup, globals))

    def autorange(self):
        return 5, 0.2

    def repeat(self, runs, loops):
        self.made.append((runs, loops))
        return [self.taken[n % len(self.taken)] for n in range(runs)]


@pytest.mark.parametrize(
    "options, counts, text",
    [
        ("", (7, 5), "371 ms ± 167 ms per loop (mean ± std. dev. of 7 runs, 5 loops each)"),
        ("-r 3 ", (3, 5), "400 ms ± 163 ms per loop (mean ± std. dev. of 3 runs, 5 loops each)"),
        ("-n 1 ", (7, 1), "1.86 s ± 833 ms per loop (mean ± std. dev. of 7 runs, 1 loop each)"),
        ("-n2 -r1 ", (1, 2), "500 ms ± 0 ns per loop (mean ± std. dev. of 1 run, 2 loops each)"),
        ("-n 2000 -r 3 ", (3, 2000), "1 ms ± 408 μs per loop (mean ± std. dev. of 3 runs, 2,000"),
    ],
)
def test_timeit_repetition_counts(shell, monkeypatch, capsys, options, counts, text):
    monkeypatch.setattr(magics.timeit, "Timer", Timer)
    monkeypatch.setattr(Timer, "made", [])
    shell.run_line_magic("timeit", f"{options}f(x)")
    shell.run_cell_magic("timeit", f"{options}x = 1", "f(x)\ng(x)\n")
    names = shell.user_ns
    expected = [("f(x)", "pass", names), counts, ("f(x)\ng(x)\n", "x = 1", names), counts]
    assert Timer.made == expected
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and lines[0] == lines[1] and lines[0].startswith(text)
