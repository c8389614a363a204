"""Tasks that Ray places: started, started again, placed anew when their machine has gone."""

import importlib.util
import io
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.cluster.fake_ray import FakeRay
from tests.cluster.tasks import environment
from tfmini._src.cluster.launcher import Launch
from tfmini._src.cluster.ray_launcher import RayMachines
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
    """A log; when the worker's first line is there, its machine may go."""

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
    places = {}
    for line in log.getvalue().splitlines():
        if "] at " in line:
            task, _, rest = line.partition("] at ")
            places.setdefault(task, []).append(rest)
    return log.getvalue(), places


def test_a_task_that_fails_keeps_its_place(ray, tmp_path):
    text, places = run(ray, tmp_path, "fails")
    assert "[worker 0] ended with status 3; started again" in text
    first, again = places["[worker 0"]
    assert first == again and first.startswith("127.0.0.1:") and first.endswith("of 2")
    assert len(ray.actors) == 2 and all(actor.is_lost for actor in ray.actors)
    assert [actor.options["num_gpus"] for actor in ray.actors] == [0, 1.0]


def test_a_machine_that_goes(ray, tmp_path, caplog):
    marker = tmp_path / "marker"

    def go():
        marker.touch()
        ray.actors[1].lose()

    text, places = run(ray, tmp_path, "waits", go)
    assert "[worker 0] ended with status 1; started again" in text
    assert len(places["[worker 0"]) == 2 and len(ray.actors) == 4
    assert all(actor.is_lost for actor in ray.actors)


def test_ray_is_not_installed(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    options = types.SimpleNamespace(
        command=["x.py"],
        ranks=None,
        ps=0,
        chief=False,
        evaluator=False,
        workers=1,
        ray=True,
        cpus=1.0,
        gpus=0.0,
    )
    assert launch(options) == 1
    assert "pip install 'tfmini-runtime[ray]'" in capsys.readouterr().err


@pytest.mark.launchers
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="no Ray here")
def test_ray_itself(tmp_path):
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
    assert "[worker 0] ended with status 3; started again" in done.stdout
