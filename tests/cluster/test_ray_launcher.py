"""Tasks placed by Ray: start, restart, and new placement after losing a machine."""

import importlib.util
import io
import os
import socket
import subprocess
import sys
import threading
import types
from pathlib import Path

import pytest

import tfmini as tf
from tests.cluster.fake_ray import FakeRay
from tests.cluster.tasks import environment
from tfmini._src.cluster import ray_launcher
from tfmini._src.cluster.launcher import Launch
from tfmini._src.cluster.ray_launcher import RayMachines, TaskHost
from tfmini._src.programs.cli.launch import launch

TASK = """
import json, os, sys, time
config = json.loads(os.environ["TF_CONFIG"])
job, number = config["task"]["type"], config["task"]["index"]
print("at", config["cluster"][job][number], "of", len(config["cluster"]), flush=True)
if job == "ps":
    time.sleep(600)
try:
    open(sys.argv[1], "x").close()
except FileExistsError:
    sys.exit(0)
if sys.argv[2] == "fails":
    sys.exit(3)
time.sleep(600)
"""


@pytest.fixture
def ray(monkeypatch):
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    util = types.SimpleNamespace(get_node_ip_address=lambda: "127.0.0.1")
    monkeypatch.setitem(sys.modules, "ray.util", util)
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    return fake


class Log(io.StringIO):
    """A log that permits the loss of the worker's machine after its first line."""

    def __init__(self, then=None):
        super().__init__()
        self._then = then

    def write(self, text):
        super().write(text)
        if text.startswith("[worker 0] at") and self._then is not None:
            then, self._then = self._then, None
            then()
        return len(text)


def run(ray, tmp_path, how, then=None):
    program = tmp_path / "task.py"
    program.write_text(TASK)
    log = Log(then)
    command = [str(program), str(tmp_path / "marker"), how]
    machines = RayMachines(0.5, 1.0)
    assert Launch({"ps": 1, "worker": 1}, command, log=log, machines=machines).run() == 0
    assert ray.calls == ["init", "shutdown"]
    locations = {}
    for line in log.getvalue().splitlines():
        if "] at " in line:
            task, _, rest = line.partition("] at ")
            locations.setdefault(task, []).append(rest)
    return log.getvalue(), locations


def test_failed_task_restarts_in_place(ray, tmp_path):
    text, locations = run(ray, tmp_path, "fails")
    assert "[worker 0] ended with status 3; restarting" in text
    first, again = locations["[worker 0"]
    assert first == again and first.startswith("127.0.0.1:") and first.endswith("of 2")
    assert len(ray.actors) == 2 and all(actor.is_lost for actor in ray.actors)
    assert [actor.options["num_gpus"] for actor in ray.actors] == [0, 1.0]


def test_lost_machine_is_replaced(ray, tmp_path, caplog):
    marker = tmp_path / "marker"

    def go():
        marker.touch()
        ray.actors[1].lose()

    text, locations = run(ray, tmp_path, "waits", go)
    assert "[worker 0] ended with status 1; restarting" in text
    assert len(locations["[worker 0"]) == 2 and len(ray.actors) == 4
    assert all(actor.is_lost for actor in ray.actors)


@pytest.mark.parametrize(
    "free, message",
    [
        ({"CPU": 2.0, "GPU": 1.0}, "Ray is still starting ps 0, worker 0"),
        (
            {"CPU": 0.5},
            "Ray lacks resources for ps 0, worker 0: all tasks require 1 CPUs and 1 GPUs, but only 0.5 and 0 are free",
        ),
    ],
    ids=["it starts", "no room"],
)
def test_pending_tasks_are_explained(ray, monkeypatch, free, message):
    ray.free, begun, messages = free, threading.Event(), []
    address = TaskHost.address

    def late(host):
        begun.wait(60)
        return address(host)

    def warning(text, *arguments):
        messages.append(text % arguments)
        begun.set()

    monkeypatch.setattr(TaskHost, "address", late)
    monkeypatch.setattr(ray_launcher, "_WAITING_SECONDS", 0.05)
    monkeypatch.setattr(ray_launcher.logs, "warning", warning)
    machines = RayMachines(0.5, 1.0)
    assert [len(found) for found in machines.addresses({"ps": 1, "worker": 1}).values()] == [1, 1]
    assert messages[0] == message  # then one may be ready before the other
    machines.close()


def test_task_environment_overrides_launcher(ray, tmp_path, monkeypatch):
    program, task, names = tmp_path / "task.py", ("rank", 0), ["TFMINI_RANKS", "TFMINI_TOKEN"]
    program.write_text(f"import os; print([os.environ[name] for name in {names}])")
    for name in names:
        monkeypatch.setenv(name, "launcher's")
    machines = RayMachines()
    machines.address(task)
    process = machines.start(task, [str(program)], {names[0]: "own"})
    assert [*process.stdout] == ["['own', \"launcher's\"]\n"] and process.wait() == 0
    machines.close()


def test_port_is_reserved_until_task_listens(ray):
    host = TaskHost()
    address = host.address()
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", int(address.rpartition(":")[2])))
    server = tf.train.Server({"worker": [address]})
    with tf.Session(server.target) as session:
        assert session.run(tf.constant(1.0)) == 1.0
    server._stop()
    host._reserved_socket.close()


def test_missing_ray_is_explained(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    options = types.SimpleNamespace(
        command=["x.py"],
        ranks=None,
        min_np=None,
        max_np=None,
        host_discovery_script=None,
        ps=0,
        chief=False,
        evaluator=False,
        workers=1,
        ray=True,
        kubernetes=None,
        cpus=1.0,
        gpus=0.0,
        image="",
        name=None,
    )
    assert launch(options) == 1
    assert "pip install 'tfmini-runtime[ray]'" in capsys.readouterr().err


@pytest.mark.launchers
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="no Ray here")
def test_real_ray(tmp_path):
    program, marker = tmp_path / "task.py", tmp_path / "marker"
    program.write_text(TASK)
    done = subprocess.run(
        [
            *(
                sys.executable,
                "-W",
                "ignore",
                "-m",
                "tfmini",
                "launch",
                "--ray",
                "--cpus",
                "0.4",
            ),
            *("--ps", "1", str(program), str(marker), "fails"),
        ],
        capture_output=True,
        text=True,
        timeout=280,
        cwd=Path(tmp_path),
        env={**environment(), "RAY_AUTH_MODE": "disabled", "HOME": os.environ.get("HOME", "/")},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "[worker 0] ended with status 3; restarting" in done.stdout
