"""Rounds of elastic ranks: members, rank order, removals, and capacity."""

import io
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

from tests.cluster.fake_machines import FakeMachines, Process
from tests.support import waiting
from tfmini._src.cluster import elastic_launcher
from tfmini._src.cluster.elastic_launcher import DRIVER, WORKER, ElasticLaunch


@pytest.fixture
def launch():
    """An unmonitored launch of 2 to 4 ranks with capacity for 3."""
    machines = FakeMachines(places=3)
    machines.planned = {f"rank{i}": [Process()] for i in range(9)}
    result = ElasticLaunch(["run.py"], 2, 4, log=io.StringIO(), machines=machines)
    yield result
    result._end_all()
    result._server.server_close()


def asking(launch, *numbers):
    """Threads in which ranks wait for the next round, and the replies by rank."""
    told = {}

    def ask(rank):
        told[rank] = launch._answer("round", rank)

    threads = [threading.Thread(target=ask, args=(rank,)) for rank in numbers]
    for thread in threads:
        thread.start()
    waiting.until(lambda: set(numbers) <= launch._waiting | launch._leaving)
    return threads, told


def joined(threads):
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def round_of(launch, *numbers):
    threads, told = asking(launch, *numbers)
    launch._begin_round(False)
    joined(threads)
    return told


def test_ranks_start_on_free_slots(launch):
    launch._adjust_ranks()
    assert [task for task, _, _, _ in launch._machines.started] == [("rank", n) for n in range(3)]
    launch._machines.places = 0  # in addition to the running ones
    launch._adjust_ranks()
    assert len(launch._machines.started) == 3 and not launch._leaving
    launch._machines.places = 5
    launch._adjust_ranks()
    assert len(launch._machines.started) == 4  # at most 4
    _, arguments, variables, _ = launch._machines.started[3]
    assert arguments == ["-m", "tfmini", "run", "run.py"]
    host, port = launch._server.server_address[:2]
    assert variables == {DRIVER: f"{host}:{port}/{launch._secret}", WORKER: "3"}


def test_round_begins_once_all_ranks_ask(launch):
    launch._adjust_ranks()
    threads, told = asking(launch, 2, 0)
    launch._begin_round(False)
    assert told == {} and launch._assignments == {}
    more, _ = asking(launch, 1)
    launch._begin_round(False)
    joined(threads + more)
    addresses = ["machine0:1", "machine1:1", "machine2:1"]
    assert told == {0: (0, addresses), 2: (2, addresses)} and launch._ranks == [0, 1, 2]
    assert launch._waiting == set()


def test_existing_ranks_come_first_in_next_round(launch):
    launch._adjust_ranks()
    round_of(launch, 0, 1, 2)
    assert launch._answer("changed", 0) is False and launch._answer("lost", 1) == []
    launch._forget(("rank", 0))
    assert launch._machines.released == [("rank", 0)]
    assert launch._answer("lost", 1) == [0]
    launch._machines.places = 1
    launch._adjust_ranks()  # number 3
    assert launch._answer("changed", 1) is False
    threads, told = asking(launch, 3)
    assert launch._answer("changed", 1) is True
    more, others = asking(launch, 2, 1)
    assert launch._answer("lost", 1) == [0, 1, 2]
    launch._begin_round(False)
    joined(threads + more)
    addresses = ["machine1:1", "machine2:1", "machine3:1"]
    assert others == {1: (0, addresses), 2: (1, addresses)} and told == {3: (2, addresses)}


def test_newest_ranks_leave_when_slots_shrink(launch):
    launch._adjust_ranks()
    round_of(launch, 0, 1, 2)
    launch._slots = lambda: 2
    launch._adjust_ranks()
    assert launch._leaving == {2} and launch._answer("changed", 0) is True
    assert launch._answer("round", 2) == "leave"
    launch._waiting.discard(2)
    assert round_of(launch, 0, 1)[1] == (1, ["machine0:1", "machine1:1"])
    assert launch._forget(("rank", 2)) is True and launch._forget(("rank", 1)) is False


def test_round_requires_minimum_ranks(launch):
    launch._slots = lambda: 1
    launch._adjust_ranks()
    threads, told = asking(launch, 0)
    launch._begin_round(False)
    assert told == {} and launch._ranks == []
    launch._begin_round(True)  # a rank that asks at the end is told to leave
    joined(threads)
    assert told == {0: "leave"}


def test_failed_discovery_script_changes_nothing(launch, caplog):
    launch._adjust_ranks()
    for error in (OSError("no script"), ValueError("no host"), subprocess.SubprocessError("slow")):

        def fails(error=error):
            raise error

        launch._slots = fails
        launch._adjust_ranks()
        assert len(launch._machines.started) == 3 and not launch._leaving
        assert f"Host discovery failed: {error}" in caplog.text


def test_requests_require_secret(launch):
    thread = threading.Thread(target=launch._server.serve_forever, daemon=True)
    thread.start()
    host, port = launch._server.server_address[:2]
    launch._adjust_ranks()
    round_of(launch, 0, 1, 2)

    def asked(path):
        with urllib.request.urlopen(f"http://{host}:{port}{path}", timeout=60) as answer:
            return answer.read()

    secret = launch._secret
    assert asked(f"/{secret}/changed/0") == b"false"
    assert asked(f"/{secret}/lost/0") == b"[]"
    for path in (
        "/",
        f"/{secret}",
        f"/{secret}x/lost/0",
        f"/{secret}/lost/x",
        f"/{secret}/other/0",
    ):
        with pytest.raises(urllib.error.HTTPError, match="404") as caught:
            asked(path)
        caught.value.close()
    launch._server.shutdown()
    thread.join(60)


def ran(least, most, restarts, places, **planned):
    machines, log = FakeMachines(places, **planned), io.StringIO()
    launch = ElasticLaunch(["run.py"], least, most, None, restarts, log, machines)
    return launch.run(), log.getvalue().splitlines(), machines


def test_success_of_one_rank_ends_all(monkeypatch):
    status, log, machines = ran(1, 2, 0, 2, rank0=[Process(0)], rank1=[Process(0)])
    assert status == 0 and log == [] and machines.is_closed
    assert sorted(machines.released) == [("rank", 0), ("rank", 1)]


def test_too_few_remaining_ranks_end_launch(monkeypatch, caplog):
    other = Process()
    status, log, _ = ran(2, 2, 0, 2, rank0=[Process(4)], rank1=[other])
    assert status == 4 and log == ["[rank 0] ended with status 4; no restarts left"]
    assert "1 ranks are left, but 2 are required" in caplog.text and other.signals == ["terminate"]


def test_missing_ranks_time_out(monkeypatch, caplog):
    monkeypatch.setattr(elastic_launcher, "WAIT_SECONDS", 0.0)
    status, _, machines = ran(2, 2, 0, 0)
    assert status == 1 and machines.started == []
    assert "0 ranks are left, but 2 are required" in caplog.text


def test_failed_rank_is_replaced():
    class OneAtATime(FakeMachines):
        def start(self, task, arguments, variables):
            result = super().start(task, arguments, variables)
            self.places -= 1
            return result

        def release(self, task):
            super().release(task)
            self.places += 1

    machines, log = OneAtATime(1, rank0=[Process(-9)], rank1=[Process(0)]), io.StringIO()
    assert ElasticLaunch(["run.py"], 1, 1, None, 1, log, machines).run() == 0
    assert log.getvalue() == "[rank 0] ended with status 1; restarting\n"
    assert [task for task, _, _, _ in machines.started] == [("rank", 0), ("rank", 1)]
