"""`tfmini launch`: a terminated launcher ends its tasks; commands that cannot be started."""

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
from tfmini._src.base.errors import UnimplementedError
from tfmini._src.cluster import (
    elastic_launcher,
    kubernetes_manifests,
    launcher,
    ray_launcher,
)
from tfmini._src.programs.cli import launch, main
from tfmini._src.programs.cli.launch import _non_negative_integer

TASK = """
import os, time
print("pid", os.getpid(), flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def train_py(tmp_path, monkeypatch):
    """A program in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").touch()


@pytest.mark.parametrize("program", ["nosuch.py", "nosuch.ipynb"])
def test_missing_program_starts_no_task(program, monkeypatch, capsys):
    monkeypatch.setattr(launcher, "Launch", None)
    assert main(["launch", "--workers", "4", program]) == 2
    assert f"{program}: no such file" in capsys.readouterr().err


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    try:  # a process that ended but has not been waited for still exists
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def launched(tmp_path):
    """A launcher, and the processes of its two sleeping tasks."""
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
def test_terminated_launcher_stops_its_tasks(tmp_path):
    with launched(tmp_path) as (launcher, tasks):
        launcher.terminate()
        assert launcher.wait(60) == 128 + signal.SIGTERM
    assert not any(is_running(task) for task in tasks)


@pytest.mark.skipif(sys.platform != "linux", reason="of Linux only")
def test_killed_launcher_stops_its_tasks(tmp_path):
    with launched(tmp_path) as (launcher, tasks):
        launcher.kill()
        launcher.wait(60)
        deadline = time.monotonic() + 60
        while any(is_running(task) for task in tasks):
            assert time.monotonic() < deadline, "its tasks go on"
            time.sleep(0.02)


@pytest.mark.parametrize("option", ["--workers", "--ranks"])
def test_zero_tasks_are_refused(option, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["launch", option, "0", "train.py"])
    assert ended.value.code == 2
    assert f"{option} 0: no task to start" in capsys.readouterr().err


def test_task_count_parsing():
    assert [_non_negative_integer(text) for text in ("0", "12")] == [0, 12]
    with pytest.raises(argparse.ArgumentTypeError, match="^'-1' is not a non-negative integer$"):
        _non_negative_integer("-1")


@pytest.mark.parametrize(
    "options, needed",
    [
        (["--cpus", "50"], "--cpus requires --ray or --kubernetes"),
        (["--gpus", "0"], "--gpus requires --ray or --kubernetes"),
        (["--image", "x"], "--image requires --kubernetes"),
        (["--name", "train", "--ray"], "--name requires --kubernetes"),
        (["-n"], "launch: error: unrecognized arguments: -n"),
    ],
)
def test_ignored_options_are_refused(options, needed, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["launch", *options, "--workers", "1", "train.py"])
    assert ended.value.code == 2
    assert needed in capsys.readouterr().err


class Started:
    """Fake task starter that records its arguments."""

    def __init__(self, monkeypatch, ends=0):
        self.made = {}
        for module, name in (
            (launcher, "Launch"),
            (elastic_launcher, "ElasticLaunch"),
            (ray_launcher, "RayMachines"),
            (kubernetes_manifests, "Manifests"),
        ):
            monkeypatch.setattr(module, name, self.maker(name))
        self.ends = ends

    def maker(self, name):
        def make(*given, **words):
            self.made[name] = (*given, *([words] if words else []))
            return self

        return make

    def run(self):
        if isinstance(self.ends, BaseException):
            raise self.ends
        return self.ends

    def plain_objects(self):
        return "plain\n"

    def tf_job(self):
        return "a TFJob\n"


@pytest.fixture
def signals():
    """Restores the process's signal handlers."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield kept
    for number, handler in kept.items():
        signal.signal(number, handler)


NO_MACHINES = {"machines": None}


@pytest.mark.parametrize(
    "options, name, wanted",
    [
        ([], "Launch", ({"chief": 0, "ps": 0, "worker": 1, "evaluator": 0}, 3)),
        (
            ["--ps", "2", "--workers", "3", "--chief", "--evaluator", "--restarts", "0"],
            "Launch",
            ({"chief": 1, "ps": 2, "worker": 3, "evaluator": 1}, 0),
        ),
        (["--ranks", "4", "--workers", "9"], "Launch", ({"rank": 4}, 3)),
        (["--min-np", "2", "--max-np", "5", "--restarts", "7"], "ElasticLaunch", (2, 5, None, 7)),
        (["--min-np", "1", "--ranks", "3"], "ElasticLaunch", (1, 3, None, 3)),
        (["--min-np", "3", "--ranks", "2", "--max-np", "3"], "ElasticLaunch", (3, 3, None, 3)),
    ],
)
def test_launcher_selection(options, name, wanted, monkeypatch, signals):
    started = Started(monkeypatch, ends=5)
    assert main(["launch", *options, "train.py", "--ps", "x"]) == 5
    command = ["train.py", "--ps", "x"]
    if name == "Launch":
        jobs, restarts = wanted
        assert started.made == {"Launch": (jobs, command, restarts, NO_MACHINES)}
    else:
        assert started.made == {"ElasticLaunch": (command, *wanted, NO_MACHINES)}


def test_elastic_launch_uses_discovery_script(monkeypatch, signals):
    started = Started(monkeypatch)
    monkeypatch.setattr(elastic_launcher, "own_names", lambda: {"here"})
    given = ["--min-np", "1", "--max-np", "2", "--host-discovery-script", "rooms.sh", "train.py"]
    assert main(["launch", *given]) == 0
    slots = started.made["ElasticLaunch"][3]
    assert slots.func is elastic_launcher.script_slots and slots.args == ("rooms.sh", {"here"})
    assert main(["launch", "--ray", *given]) == 0
    assert started.made["ElasticLaunch"][3].args == ("rooms.sh", None)
    assert started.made["ElasticLaunch"][-1] == {"machines": started}


@pytest.mark.parametrize(
    "options, wanted", [([], (1.0, 0.0)), (["--cpus", "2.5", "--gpus", "0.5"], (2.5, 0.5))]
)
def test_ray_machines_receive_options(options, wanted, monkeypatch, signals):
    started = Started(monkeypatch)
    assert main(["launch", "--ray", *options, "train.py"]) == 0
    assert started.made["RayMachines"] == wanted
    assert started.made["Launch"][-1] == {"machines": started}


def test_missing_ray_is_reported(monkeypatch, capsys):
    def missing(*_):
        raise UnimplementedError(None, None, "--ray requires Ray")

    monkeypatch.setattr(ray_launcher, "RayMachines", missing)
    assert main(["launch", "--ray", "train.py"]) == 1
    assert capsys.readouterr().err == "python -m tfmini launch: --ray requires Ray\n"


def test_kubernetes_manifests(monkeypatch, capsys):
    started = Started(monkeypatch)
    monkeypatch.setenv("TFMINI_TOKEN", "a secret")
    given = ["--image", "i:1", "--ps", "1", "--workers", "2", "train.py", "--x"]
    assert main(["launch", "--kubernetes", "plain", *given]) == 0
    assert capsys.readouterr().out == "plain\n"
    jobs, command = {"ps": 1, "worker": 2}, ["train.py", "--x"]
    assert started.made == {"Manifests": ("train", "i:1", jobs, command, "a secret", 3, 1.0, 0.0)}
    monkeypatch.delenv("TFMINI_TOKEN")
    more = ["--name", "mine", "--cpus", "4", "--gpus", "1", "--restarts", "9"]
    assert main(["launch", "--kubernetes", "TFJob", *more, *given]) == 0
    assert capsys.readouterr().out == "a TFJob\n"
    name, image, *_, token, restarts, cpus, gpus = started.made["Manifests"]
    assert (name, image, restarts, cpus, gpus) == ("mine", "i:1", 9, 4.0, 1.0)
    assert len(token) == 43


@pytest.mark.parametrize(
    "arguments, error",
    [
        (["--workers", "2"], "a program is required"),
        *(
            (["--ranks", "2", *more, "train.py"], "--ranks excludes parameter servers")
            for more in (["--ps", "1"], ["--chief"], ["--evaluator"])
        ),
        (["--min-np", "2", "--max-np", "2", "--ps", "1", "train.py"], "excludes parameter servers"),
        (["--max-np", "2", "train.py"], "--max-np and --host-discovery-script require --min-np"),
        (["--host-discovery-script", "f", "train.py"], "--host-discovery-script require --min-np"),
        (
            ["--min-np", "0", "--max-np", "2", "train.py"],
            "--min-np must be at least 1, and --max-np",
        ),
        (
            ["--min-np", "3", "--max-np", "2", "train.py"],
            "--min-np must be at least 1, and --max-np",
        ),
        (
            ["--min-np", "1", "train.py"],
            "--min-np must be at least 1, and --max-np (or --ranks) at least",
        ),
        (["--workers", "-1", "train.py"], "'-1' is not a non-negative integer"),
        (["--workers", "few", "train.py"], "'few' is not a non-negative integer"),
        (["--kubernetes", "plain", "train.py"], "--kubernetes requires --image"),
        (
            ["--kubernetes", "plain", "--image", "i", "--ray", "train.py"],
            "--kubernetes supports neither elastic training nor Ray",
        ),
        (
            ["--kubernetes", "plain", "--image", "i", "--min-np", "1", "--ranks", "1", "train.py"],
            "--kubernetes supports neither elastic training nor Ray",
        ),
        (
            ["--kubernetes", "TFJob", "--image", "i", "--ranks", "2", "train.py"],
            "a TFJob does not support ranks; use --kubernetes plain",
        ),
        *(
            (
                ["--kubernetes", "TFJob", "--image", "i", "train.py", word],
                "a TFJob supports only TF_CONFIG, not {task} or {JOB_hosts}",
            )
            for word in ("--task={task}", "{ps_hosts}", "{worker_hosts}")
        ),
        *(
            (
                ["--kubernetes", "plain", "--image", "i", "--name", name, "train.py"],
                "is not a valid name",
            )
            for name in ("A", "1a", "a-", "a" * 41, "")
        ),
    ],
)
def test_invalid_option_combinations(arguments, error, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["launch", *arguments])
    assert ended.value.code == 2
    assert error in capsys.readouterr().err


def test_job_names_allow_forty_characters():
    assert launch._name("a" + "-" * 38 + "z") and launch._name("a")


def test_ctrl_c_exits_with_130(monkeypatch, signals):
    Started(monkeypatch, ends=KeyboardInterrupt())
    assert main(["launch", "train.py"]) == 130


def test_signals_ignored_by_caller_stay_ignored(monkeypatch, signals):
    Started(monkeypatch)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    assert main(["launch", "train.py"]) == 0
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    assert signal.getsignal(signal.SIGTERM) is launch._end_tasks
    with pytest.raises(SystemExit, match="^143$"):
        launch._end_tasks(signal.SIGTERM, None)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
