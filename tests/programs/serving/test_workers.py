"""Several processes on the same ports."""

import http.client
import json
import os
import signal
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import called, field
from tests.programs.serving.test_shutdown import busy
from tests.support import waiting
from tfmini._src.programs.serving import workers as workers_module
from tfmini._src.programs.serving.shutdown import RETIRE

LARGE = 1 << 18  # bytes of the weights: large enough to be mapped instead of read


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("models") / "1")
    with tf.Graph().as_default(), tf.Session() as session:
        rows = tf.placeholder(tf.int32, [None], name="rows")
        weights = tf.Variable(tf.reshape(tf.range(LARGE // 4), [-1, 4]))
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, folder, {"rows": rows}, {"y": tf.gather(weights, rows)})
    arguments = (os.path.dirname(folder), "--name", "table", "--workers", 2)
    with served.serving(*arguments) as running:
        waiting.until(lambda: len(mappings(running)) == 2)
        yield running


def workers(server):
    """The serving processes."""
    parent = server.process.pid
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if "spawn_main" in of_process(child, "cmdline")]


def of_process(number, name):
    try:
        return Path(f"/proc/{number}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def mappings(server):
    """Kilobytes of the mapped checkpoint file that each worker has modified, by process id."""
    result = {}
    for worker in workers(server):
        for part in of_process(worker, "smaps").split("VmFlags")[:-1]:
            if "variables.data" in part:
                dirty = [each for each in part.splitlines() if each.startswith("Private_Dirty")]
                result[worker] = int(dirty[0].split()[1])
    return result


def predict_row(server, row):
    return server.post("table:predict", {"inputs": [row]})


def test_weights_are_mapped_and_shared(server):
    for row in range(20):
        assert predict_row(server, row) == (200, {"outputs": [list(range(4 * row, 4 * row + 4))]})
    assert list(mappings(server).values()) == [0, 0]


def test_killed_worker_restarts_without_lost_answers(server):
    answers, lost, ended = [], [], threading.Event()

    def go_on(row):
        while not ended.is_set():
            try:
                status, answer = predict_row(server, row)
            except (OSError, http.client.HTTPException) as error:
                lost.append(error)  # without an answer: to be repeated
            else:
                answers.append((status, answer, row))

    threads = [threading.Thread(target=go_on, args=(row,)) for row in range(4)]
    for thread in threads:
        thread.start()
    waiting.until(lambda: len(answers) > 20)
    before = workers(server)
    os.kill(before[0], signal.SIGKILL)

    def is_replaced():
        result = mappings(server)
        return len(result) == 2 and before[0] not in result

    waiting.until(is_replaced)
    count = len(answers)
    waiting.until(lambda: len(answers) > count + 20)
    ended.set()
    for thread in threads:
        thread.join()
    assert before[1] in workers(server)
    assert len(lost) <= len(threads)  # the killed one's request
    rows = np.arange(16).reshape(4, 4).tolist()
    assert all(
        status == 200 and answer == {"outputs": [rows[row]]} for status, answer, row in answers
    )


def test_every_worker_reports_total_counts(server):
    for _ in range(10):
        assert server.post("table/versions/99:predict", {"inputs": [1]})[0] == 404

    def counted(_):
        _, text = server.ask("GET", "/monitoring/prometheus/metrics")
        return [line.split()[-1] for line in text.splitlines() if 'status="NOT_FOUND"' in line]

    waiting.until(lambda: all(result == ["10"] for result in map(counted, range(20))))


def test_every_worker_answers_grpc(server):
    for _ in range(10):  # a connection each
        response = called(
            server, "/tensorflow.serving.ModelService/GetModelStatus", field(1, field(1, b"table"))
        )
        assert response.startswith(field(1, field(1, 1) + field(2, 30))[:1])


def test_sighup_replaces_workers(server):
    """And each once more after another SIGHUP in between."""
    before = set(workers(server))
    server.process.send_signal(signal.SIGHUP)
    waiting.until(lambda: len(workers(server)) == 3)
    between = set(workers(server))
    server.process.send_signal(signal.SIGHUP)
    waiting.until(lambda: len(mappings(server)) == 2 and not between & set(workers(server)))
    assert before < between
    assert predict_row(server, 1)[0] == 200


def test_signal_ends_server_during_worker_replacement(tmp_path):
    """The worker to be replaced is busy; the drain time applies to the shutdown, not to it."""
    served.counter(str(tmp_path / "counter"))
    options = ("--drain", 1000, "--timeout", 1000, "--workers", 2)
    with served.serving(tmp_path / "counter", *options) as server:
        with busy(server), busy(server), busy(server):
            server.process.send_signal(signal.SIGHUP)
            waiting.until(lambda: len(workers(server)) == 3)
            waiting.until(server.is_ready)
            server.process.send_signal(signal.SIGTERM)
            waiting.until(lambda: server.ask("GET", "/healthz") == (503, "ending"))
            assert server.post("counter:predict", {"inputs": 3}) == (200, {"outputs": 3})
        assert server.end() == 0


def test_sigterm_ends_server_cleanly(tmp_path):
    served.line(tmp_path / "1", 1)
    with served.serving(tmp_path, "--name", "line", "--workers", 2) as server:
        assert json.loads(server.ask("GET", "/v1/models/line")[1])["model_version_status"]
        assert server.end() == 0


def test_workers_exit_with_supervisor(tmp_path):
    served.line(tmp_path / "1", 1)
    with served.serving(tmp_path, "--workers", 2) as server:
        numbers = workers(server)
        server.process.kill()
        waiting.until(lambda: not any(of_process(number, "cmdline") for number in numbers))
    assert len(numbers) == 2


class Worker:
    """A scripted worker without a process."""

    def __init__(self, config, sockets):
        self.process = SimpleNamespace(pid=id(self), exitcode=None)
        self.is_serving = self.is_outdated = self.is_retiring = self.hangs = self.loads = False
        self.signals = []

    def listen(self):
        pass

    def is_hung(self):
        return self.hangs

    def loads_since(self, when):
        return self.loads

    def send(self, number):
        self.signals.append(number)

    def close(self):
        assert self.process.exitcode is not None


@pytest.fixture
def supervisor(monkeypatch):
    """A supervisor of two serving workers."""
    monkeypatch.setattr(workers_module, "Worker", Worker)
    created = workers_module.Workers(SimpleNamespace(workers=2), [])
    created._fill()
    for worker in created._workers:
        worker.is_serving = True
    return created


def ended(supervisor, worker, status):
    worker.process.exitcode = status
    supervisor._supervise()
    assert worker not in supervisor._workers


def test_workers_are_replaced_sequentially(supervisor):
    first, second = supervisor._workers
    supervisor._handle_signal(signal.SIGHUP)
    supervisor._supervise()
    supervisor._supervise()
    *_, third = supervisor._workers
    assert supervisor._workers == [first, second, third] and not first.signals
    third.is_serving = True
    supervisor._supervise()
    supervisor._supervise()
    assert supervisor._workers == [first, second, third]  # no fourth before the first has ended
    assert first.signals == [RETIRE] and first.is_retiring
    ended(supervisor, first, -15)
    *_, fourth = supervisor._workers
    fourth.is_serving = True
    supervisor._supervise()
    ended(supervisor, second, 0)
    supervisor._supervise()
    assert supervisor._workers == [third, fourth] and not third.signals + fourth.signals


@pytest.mark.parametrize("status", [3, -11])
def test_failed_successor_keeps_workers(supervisor, caplog, status):
    before = list(supervisor._workers)
    supervisor._handle_signal(signal.SIGHUP)
    supervisor._supervise()
    ended(supervisor, supervisor._workers[-1], status)
    supervisor._supervise()
    assert supervisor._workers == before and not any(each.signals for each in before)


def test_dead_or_hung_worker_is_replaced(supervisor):
    first, second = supervisor._workers
    first.hangs = True
    supervisor._supervise()
    assert first.signals == [signal.SIGKILL]
    ended(supervisor, first, -9)
    assert supervisor._workers[0] is second and len(supervisor._workers) == 2
    supervisor._workers[1].loads = True
    ended(supervisor, supervisor._workers[1], -9)  # before it has served
    assert len(supervisor._workers) == 2


def test_server_ends_if_no_worker_starts(supervisor):
    first, second = supervisor._workers
    first.is_serving = False
    ended(supervisor, first, 3)
    assert second.signals == [signal.SIGTERM]
    ended(supervisor, second, 0)
    assert not supervisor._workers and supervisor._has_failed


def test_every_worker_receives_termination_signal(supervisor):
    """Also a retiring one; one still loading its models is killed, since no client waits for its answers."""
    first, second = supervisor._workers
    supervisor._handle_signal(signal.SIGHUP)
    supervisor._supervise()
    third = supervisor._workers[2]
    third.is_serving = True
    supervisor._supervise()
    third.is_serving, third.loads = False, True
    supervisor._handle_signal(signal.SIGINT)
    supervisor._supervise()
    supervisor._handle_signal(signal.SIGTERM)
    term = signal.SIGTERM
    assert first.signals == [RETIRE, term, term] and second.signals == [term, term]
    assert third.signals == [term, signal.SIGKILL, term]
    supervisor._handle_signal(signal.SIGHUP)
    for worker in (first, second, third):
        ended(supervisor, worker, 0)
    assert not supervisor._workers and not supervisor._has_failed


def test_worker_reports_ready(monkeypatch):
    """Until then it may exceed the heartbeat interval."""
    monkeypatch.setattr(workers_module, "_work", beat_twice)
    worker = workers_module.Worker(None, [])
    begin = worker._begin
    waiting.until(lambda: worker.listen() or worker._last_heard > begin)
    assert not worker.is_serving
    assert worker.loads_since(worker._last_heard - 1.5) and not worker.loads_since(
        worker._last_heard
    )
    monkeypatch.setattr(workers_module, "_MAX_LOADING_SECONDS", 0.0)
    assert worker.is_hung()
    waiting.until(lambda: worker.listen() or worker.is_serving)
    assert not worker.is_hung() and not worker.loads_since(begin - 10)
    monkeypatch.setattr(workers_module, "_MAX_SILENCE_SECONDS", 0.0)
    assert worker.is_hung()
    waiting.until(lambda: worker.listen() or worker.process.exitcode is not None)
    worker.send(signal.SIGTERM)  # no effect, rather than one on another process
    worker.close()


def beat_twice(config, sockets, supervisor):
    supervisor.send(False)
    time.sleep(0.5)
    supervisor.send(True)
