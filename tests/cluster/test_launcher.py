"""Tasks of a script: environment, restarts, and termination."""

import io
import json

import pytest

from tests.cluster.fake_machines import FakeMachines, Process
from tfmini._src.cluster import launcher
from tfmini._src.cluster.launcher import Launch, cluster_environment, fill_command

HOSTS = {"ps": ["p:1"], "worker": ["w:1", "w:2"], "evaluator": ["e:1"]}


@pytest.mark.parametrize(
    "job, task, expected",
    [("worker", 1, 1), ("ps", 0, 0), ("worker", "$(INDEX)", "$(INDEX)"), ("evaluator", 0, 0)],
)
def test_task_receives_tf_config(job, task, expected):
    actual = cluster_environment(job, task, HOSTS)
    assert list(actual) == ["TF_CONFIG"]
    assert json.loads(actual["TF_CONFIG"]) == {
        "cluster": {"ps": ["p:1"], "worker": ["w:1", "w:2"]},
        "task": {"type": job, "index": expected},
    }


def test_rank_receives_all_addresses():
    result = cluster_environment("rank", 1, {"rank": ["a:1", "b:2"]})
    assert result == {"TFMINI_RANKS": "a:1,b:2", "HOROVOD_RANK": "1"}


def test_command_placeholders():
    command = ["run.py", "--job={job}", "{task}{task}", "{worker_hosts};{ps_hosts}", "{other}", "{"]
    assert fill_command(command, "worker", 1, HOSTS) == [
        *("run.py", "--job=worker", "11", "w:1,w:2;p:1", "{other}", "{"),
    ]
    assert fill_command([], "ps", 0, HOSTS) == []


def launched(jobs, restarts=3, **planned):
    """(status, ordered log lines, machines) of a launch of processes."""
    machines, log = FakeMachines(**planned), io.StringIO()
    launch = Launch(jobs, ["run.py", "{job}:{task}"], restarts, log, machines)
    status = launch.run()
    assert machines.is_closed
    return status, log.getvalue().splitlines(), machines


def test_servers_are_stopped_after_workers_succeed():
    server = Process()
    status, log, machines = launched(
        {"ps": 1, "worker": 2, "chief": 0},
        ps0=[server],
        worker0=[Process(0, ["one  \n"])],
        worker1=[Process(0)],
    )
    assert status == 0 and server.signals == ["terminate"] and machines.rounds == 1
    assert log == ["[worker 0] one"]
    tasks = [(task, arguments) for task, arguments, _, _ in machines.started]
    assert tasks == [
        (("ps", 0), ["-m", "tfmini", "run", "run.py", "ps:0"]),
        (("worker", 0), ["-m", "tfmini", "run", "run.py", "worker:0"]),
        (("worker", 1), ["-m", "tfmini", "run", "run.py", "worker:1"]),
    ]
    config = json.loads(machines.started[2][2]["TF_CONFIG"])
    assert config["cluster"] == {"ps": ["ps0:1"], "worker": ["worker0:1", "worker1:1"]}
    assert config["task"] == {"type": "worker", "index": 1}


def test_servers_without_workers_are_awaited():
    status, _, _ = launched({"ps": 2}, ps0=[Process(0)], ps1=[Process(0)])
    assert status == 0


def test_failed_task_is_restarted_alone():
    status, log, machines = launched(
        {"worker": 2},
        worker0=[Process(3, ["before\n"]), Process(-9), Process(0, ["after\n"])],
        worker1=[Process(0)],
    )
    assert status == 0 and machines.rounds == 1
    own = [line for line in log if line.startswith("[worker 0]")]
    assert own == [
        "[worker 0] before",
        "[worker 0] ended with status 3; restarting",
        "[worker 0] ended with status -9; restarting",
        "[worker 0] after",
    ]


@pytest.mark.parametrize("status, expected", [(7, 7), (-15, 1)])
def test_launch_ends_after_last_restart(status, expected):
    other, server = Process(), Process(stubborn=True)
    actual, log, _ = launched(
        {"ps": 1, "worker": 2},
        restarts=1,
        ps0=[server],
        worker0=[Process(status), Process(status)],
        worker1=[other],
    )
    assert actual == expected
    assert log == [
        f"[worker 0] ended with status {status}; restarting",
        f"[worker 0] ended with status {status}; no restarts left",
    ]
    assert other.signals == ["terminate"] and server.signals == ["terminate", "kill"]


def test_ranks_are_restarted_together():
    """With new addresses, each using up one restart."""
    other = Process()
    status, log, machines = launched(
        {"rank": 2}, restarts=1, rank0=[Process(5), Process(0)], rank1=[other, Process(0)]
    )
    assert status == 0 and machines.rounds == 2 and other.signals == ["terminate"]
    assert log == ["[rank 0] ended with status 5; restarting"]
    told = [variables for _, _, variables, _ in machines.started]
    assert told == [
        {"TFMINI_RANKS": f"rank0:{n},rank1:{n}", "HOROVOD_RANK": str(rank)}
        for n in (1, 2)
        for rank in (0, 1)
    ]


def test_second_rank_failure_ends_launch():
    status, log, _ = launched(
        {"rank": 2},
        restarts=1,
        rank0=[Process(5), Process()],
        rank1=[Process(), Process(6)],
    )
    assert status == 6
    assert log[1:] == ["[rank 1] ended with status 6; no restarts left"]


def test_tasks_move_off_lost_machine(monkeypatch):
    monkeypatch.setattr(FakeMachines, "has_lost", lambda machines, task: machines.rounds == 1)
    server = Process()
    status, _, machines = launched(
        {"ps": 1, "worker": 1}, ps0=[server, Process()], worker0=[Process(1), Process(0)]
    )
    assert status == 0 and machines.rounds == 2 and server.signals == ["terminate"]
    config = json.loads(machines.started[-1][2]["TF_CONFIG"])
    assert config["cluster"] == {"ps": ["ps0:2"], "worker": ["worker0:2"]}


def test_launcher_error_stops_running_tasks(monkeypatch):
    running = Process()
    machines = FakeMachines(worker0=[running], worker1=[])
    with pytest.raises(IndexError, match="pop from empty list"):
        Launch({"worker": 2}, ["run.py"], machines=machines, log=io.StringIO()).run()
    assert running.signals == ["terminate"] and machines.is_closed
    assert launcher.RANK_JOB == "rank"
