"""`tfmini launch`: a launcher that is ended takes its tasks with it; what it cannot start."""

import argparse
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cluster.tasks import environment
from tfmini._src.programs.cli import main
from tfmini._src.programs.cli.launch import _count

TASK = """
import os, time
print("pid", os.getpid(), flush=True)
time.sleep(600)
"""


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    try:  # one that has ended and that nobody has asked about is there still
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def launched(tmp_path):
    """A launcher, and the processes of its two tasks, which sleep."""
    script = tmp_path / "task.py"
    script.write_text(TASK)
    launcher = subprocess.Popen(
        [sys.executable, "-m", "tfmini", "launch", "--ps", "1", "--workers", "1", str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    tasks = []
    with launcher.stdout as lines:
        while len(tasks) < 2:
            line = lines.readline()
            assert line, "the launcher has ended"
            if " pid " in line:
                tasks.append(int(line.split()[-1]))
        yield launcher, tasks


@pytest.mark.skipif(os.name != "posix", reason="this system has other signals")
def test_a_launcher_that_is_ended(tmp_path):
    with launched(tmp_path) as (launcher, tasks):
        launcher.terminate()
        assert launcher.wait(60) == 128 + signal.SIGTERM
    assert not any(is_running(task) for task in tasks)


@pytest.mark.skipif(sys.platform != "linux", reason="of Linux only")
def test_a_launcher_that_is_killed(tmp_path):
    with launched(tmp_path) as (launcher, tasks):
        launcher.kill()
        launcher.wait(60)
        deadline = time.monotonic() + 60
        while any(is_running(task) for task in tasks):
            assert time.monotonic() < deadline, "its tasks go on"
            time.sleep(0.02)


@pytest.mark.parametrize("option", ["--workers", "--ranks"])
def test_no_task(option, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["launch", option, "0", "train.py"])
    assert ended.value.code == 2
    assert f"{option} 0: there is no task to start" in capsys.readouterr().err


def test_how_many_tasks():
    assert [_count(text) for text in ("0", "12")] == [0, 12]
    with pytest.raises(argparse.ArgumentTypeError, match="^-1 is negative$"):
        _count("-1")


@pytest.mark.parametrize(
    "options, needed",
    [
        (["--cpus", "50"], "--cpus needs --ray or --kubernetes"),
        (["--gpus", "0"], "--gpus needs --ray or --kubernetes"),
        (["--image", "x"], "--image needs --kubernetes"),
        (["--name", "train", "--ray"], "--name needs --kubernetes"),
    ],
)
def test_options_that_would_be_ignored(options, needed, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["launch", *options, "--workers", "1", "train.py"])
    assert ended.value.code == 2
    assert needed in capsys.readouterr().err
